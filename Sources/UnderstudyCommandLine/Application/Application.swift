public import AccountsDatabase
import CBuild
import FoundationEssentials
import MicroHTTP
public import Understudy

/// A program for any pages with the commands `serve`, `config`, `openapi`, `graph`, `replay`, `step`, `messages`, `healthcheck` and those for the
/// administration of accounts and products.
///
/// ```swift
/// try await Application(title: "Guestbook", version: "1.0") { dependencies in
///     Page.bundled(dependencies) + [Page("guestbook") { _ in GuestbookController() }]
/// }.run()
/// ```
///
/// The command's name is the name of the executable. By default, the program stores its data in a folder that is named
/// after its title, such as `~/.local/share/guestbook`.
public struct Application: Sendable {
    // ArgumentParser creates commands itself and asks their types for help texts, so the program cannot be passed to them. A task-local
    // value, unlike a static variable, lets tests run several programs at the same time.

    /// The program whose command runs in this task.
    @TaskLocal static var current = Application(title: "Understudy", version: UnderstudyService.version) { _ in [] }

    /// The title of the OpenAPI document.
    public let title: String
    /// The version of the pages, for the OpenAPI document and `--version`.
    public let version: String
    /// What the service is for, as Markdown, for the OpenAPI document.
    public var description: String?
    /// The licence of the API, for the OpenAPI document.
    public var licence: ServiceConfiguration.Licence?
    /// The first line of `--help`; `nil` for the title.
    public var abstract: String?
    /// The text of `--help` below ``abstract``.
    public var discussion = ""
    var executable = CommandLine.arguments.first ?? ""
    /// The variables that the commands read.
    var environment = ProcessInfo.processInfo.environment
    /// The texts of messages in other languages than English, and the labels of the pages' HTML in all languages, which docs/browser.md lists.
    /// The setting `translations` of `serve` names a file with others, which take precedence. `Translations.bundled` contains those of the bundled
    /// pages.
    public var translations = Translations()
    /// HTML templates of the pages by their name, in Mustache, for the setting `pages`. docs/browser.md describes them.
    public var templates: [String: String] = [:]
    /// Scripts, styles, pictures and fonts by their path, which are served below `/assets/` with the setting `pages`. `look.css` changes the look of
    /// all pages.
    public var assets: [String: [UInt8]] = [:]
    /// Whether the program has the command `init`, which writes a package for other pages.
    public var createsPackages = false
    /// They create the tables of the pages, for ``PageDependencies/database``. Never change a migration that has run. Add a new one instead.
    public var migrations: [SQLText] = []
    let pages: @Sendable (PageDependencies) throws -> [Page]

    var commandName: String { executable.split(separator: "/").last.map { String($0) } ?? "understudy" }

    /// The title as a part of paths: `acme-onboarding` for `Acme Onboarding`. Unlike ``commandName``, it stays the same if the
    /// executable is renamed.
    var identifier: String {
        title.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }

    /// The versions that a bug report needs: of the program, of Understudy, the commit if `scripts/build` built it, and of
    /// the libmicrohttpd that is loaded.
    var versionLine: String {
        let program = "\(commandName) \(version)"
        let framework = "understudy \(UnderstudyService.version)"
        let commit = String(cString: CBuild_commit)
        let parts =
            (program == framework ? [] : [framework]) + (commit.isEmpty ? [] : ["commit \(commit)"])
            + ["libmicrohttpd \(Server.libraryVersion)"]
        return "\(program) (\(parts.joined(separator: ", ")))"
    }

    /// The service's configuration with what this program says about itself, and its translations.
    var serviceConfiguration: ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration.title = title
        configuration.version = version
        configuration.description = description
        configuration.licence = licence
        configuration.translations = translations
        return configuration
    }
}

// Not in the structure, so that tests can set all properties at once.
extension Application {
    /// Creates a program.
    ///
    /// - Parameters:
    ///   - title: the title of the OpenAPI document.
    ///   - version: the version of your pages.
    ///   - pages: creates the pages from their dependencies. If it throws, the command fails with that error.
    public init(title: String, version: String, pages: @escaping @Sendable (PageDependencies) throws -> [Page]) {
        self.init(title: title, version: version, description: nil, pages: pages)
    }
}
