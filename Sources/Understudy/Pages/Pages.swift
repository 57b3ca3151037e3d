/// The pages that are served, in the order in which they were registered.
struct Pages: Sendable {
    /// All pages.
    let all: [Page]

    /// The pages. No name may stand twice: that is a programmer's mistake, and stops the program.
    init(_ pages: [Page]) {
        precondition(Set(pages.map(\.name)).count == pages.count, "a page is registered twice")
        all = pages
    }

    /// The page at a path.
    subscript(path path: String) -> Page? {
        all.first { $0.path == path }
    }

    /// The page of a name.
    subscript(named name: String) -> Page? {
        all.first { $0.name == name }
    }
}
