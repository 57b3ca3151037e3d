public import Understudy

/// The command line of a server, for any pages: `serve`, `config`, `openapi`, `graph`, `replay`, `healthcheck` and the
/// administration of accounts and products.
public enum UnderstudyCommandLine {
    /// Runs the command that the process's arguments name. If it fails, this prints one line to standard error and exits.
    ///
    /// ```swift
    /// try await UnderstudyCommandLine.run(title: "Guestbook", version: "1.0") { dependencies in
    ///     Page.bundled(dependencies) + [Page("guestbook") { _ in GuestbookController() }]
    /// }
    /// ```
    ///
    /// The command's name is the name of the executable. By default, the program stores its data in a folder that is named
    /// after its title, such as `~/.local/share/guestbook`.
    ///
    /// - Parameters:
    ///   - title: the title of the OpenAPI document.
    ///   - version: the version of your pages, for the OpenAPI document and `--version`.
    ///   - abstract: the first line of `--help`. By default, it is the title.
    ///   - discussion: the text of `--help` below the abstract.
    ///   - pages: creates the pages from their dependencies. If it throws, the command fails with that error.
    /// - Throws: `CancellationError` if the task is cancelled.
    public static func run(
        title: String,
        version: String,
        abstract: String? = nil,
        discussion: String = "",
        pages: @escaping @Sendable (PageDependencies) throws -> [Page]
    ) async throws {
        let application = Application(
            title: title,
            version: version,
            abstract: abstract,
            discussion: discussion,
            pages: pages
        )
        try await Application.$current.withValue(application) { try await RootCommand.main() }
    }
}
