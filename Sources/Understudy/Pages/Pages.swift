/// The pages that are served, in the order in which they were registered.
package struct Pages: Sendable {
    /// All pages.
    let all: [Page]
    /// The whole path of each.
    private let paths: [String]

    /// The pages. No name may stand twice: that is a programmer's mistake, and stops the program.
    package init(_ pages: [Page], below prefix: PathPrefix = PathPrefix()) {
        var names: Set<String> = []
        for page in pages {
            precondition(names.insert(page.name).inserted, "the page '\(page.name)' is registered twice")
        }
        all = pages
        paths = pages.map { "\(prefix)/\($0.name)" }
    }

    /// The page at a path.
    subscript(path path: String) -> Page? {
        for index in paths.indices where paths[index] == path { return all[index] }
        return nil
    }

    /// The page of a name.
    package subscript(named name: String) -> Page? {
        all.first { $0.name == name }
    }
}
