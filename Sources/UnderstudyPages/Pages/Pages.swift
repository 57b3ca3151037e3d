package import BusinessLogic

/// The pages of a service, in the order of their registration.
package struct Pages: Sendable {
    package let all: [Page]
    private let paths: [String]
    private let descriptions: [PageDescription]
    package let links: PageLinks

    /// Traps if two pages have the same name, or if a destination leads to two pages.
    package init(_ pages: [Page], below prefix: PathPrefix = PathPrefix()) {
        var names: Set<String> = []
        for page in pages {
            requireDeclaration(names.insert(page.name).inserted, "the page '\(page.name)' is registered twice")
        }
        all = pages
        paths = pages.map { "\(prefix)/\($0.name)" }
        var targets: [String: String?] = [:]
        for destination in pages.flatMap(\.destinations) {
            let known = targets.updateValue(destination.page, forKey: destination.name)
            requireDeclaration(
                known == nil || known == destination.page,
                "the destination '\(destination.name)' leads to two pages"
            )
        }
        let links = PageLinks(
            pages.flatMap(\.destinations).compactMap { destination in
                guard let page = destination.page, names.contains(page) else { return nil }
                return (destination: destination.name, href: "\(prefix)/\(page)")
            }
        )
        self.links = links
        descriptions = pages.map { PageDescription($0, links) }
    }

    package subscript(path path: String) -> Page? { paths.firstIndex(of: path).map { all[$0] } }

    package func description(of page: Page) -> PageDescription {
        all.firstIndex { $0 === page }.map { descriptions[$0] } ?? PageDescription(page, links)
    }

    package subscript(named name: String) -> Page? { all.first { $0.name == name } }
}
