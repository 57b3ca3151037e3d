package struct PageLinks: Sendable {
    private let links: [(destination: String, href: String)]

    /// If several destinations have the same name, the first applies.
    package init(_ links: [(destination: String, href: String)] = []) {
        self.links = links
    }

    /// `nil` if the destination is not a page of the service.
    package subscript(destination: String) -> String? {
        links.first { $0.destination.hasSameBytes(as: destination) }?.href
    }
}
