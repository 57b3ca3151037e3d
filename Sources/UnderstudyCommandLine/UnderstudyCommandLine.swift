public import AccountsDatabase
public import Understudy

/// The command line of a server, for any pages: `serve`, `config`, `openapi`, `graph`, `replay`, `step`, `messages`, `healthcheck` and the
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
    ///   - description: what the service is for, as Markdown, for the OpenAPI document.
    ///   - licence: the licence of the API, for the OpenAPI document.
    ///   - abstract: the first line of `--help`. By default, it is the title.
    ///   - discussion: the text of `--help` below the abstract.
    ///   - translations: the texts of messages in other languages than English, and the labels of the pages' HTML in all languages, which
    ///     docs/browser.md lists. The setting `translations` of `serve` names a file with others, which take precedence.
    ///     `Translations.bundled` contains those of the bundled pages.
    ///   - templates: HTML templates of the pages by their name, in Mustache, for the setting `pages`. docs/browser.md describes them.
    ///   - assets: scripts, styles, pictures and fonts by their path, which are served below `/assets/` with the setting `pages`. `look.css`
    ///     changes the look of all pages.
    ///   - createsPackages: whether the program has the command `init`, which writes a package for other pages.
    ///   - migrations: create the tables of the pages, for ``PageDependencies/database``. Never change a migration that has run. Add a new
    ///     one instead.
    ///   - pages: creates the pages from their dependencies. If it throws, the command fails with that error.
    /// - Throws: `CancellationError` if the task is cancelled.
    public static func run(
        title: String,
        version: String,
        description: String? = nil,
        licence: ServiceConfiguration.Licence? = nil,
        abstract: String? = nil,
        discussion: String = "",
        translations: Translations = Translations(),
        templates: [String: String] = [:],
        assets: [String: [UInt8]] = [:],
        createsPackages: Bool = false,
        migrations: [SQLText] = [],
        pages: @escaping @Sendable (PageDependencies) throws -> [Page]
    ) async throws {
        let application = Application(
            title: title,
            version: version,
            description: description,
            licence: licence,
            abstract: abstract,
            discussion: discussion,
            translations: translations,
            templates: templates,
            assets: assets,
            createsPackages: createsPackages,
            migrations: migrations,
            pages: pages
        )
        try await Application.$current.withValue(application) { try await RootCommand.main() }
    }
}
