/// The addresses of the pages that commands go to.
package struct PageLinks: Sendable {
    private let links: [(destination: String, href: String)]

    /// Creates links with addresses by the names of destinations. If several have the same name, the first applies.
    package init(_ links: [(destination: String, href: String)] = []) {
        self.links = links
    }

    /// The address of the page; `nil` if the destination is not a page of the service.
    package subscript(destination: String) -> String? {
        links.first { $0.destination.hasSameBytes(as: destination) }?.href
    }
}
