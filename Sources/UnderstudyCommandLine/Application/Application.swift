import CBuild
import FoundationEssentials
import MicroHTTP
import AccountsDatabase
import Understudy

/// The program that the command line runs: its name, its version and its pages.
///
/// ArgumentParser creates commands itself and asks their types for help texts, so the program cannot be passed to them.
/// ``UnderstudyCommandLine`` therefore binds ``current`` around parsing and running a command. A task-local value, unlike a
/// static variable, lets tests run several programs at the same time.
struct Application: Sendable {
    /// The program whose command runs in this task.
    @TaskLocal static var current = Application(title: "Understudy", version: UnderstudyService.version) { _ in [] }

    let title: String
    let version: String
    /// What the service is for, for the OpenAPI document.
    var description: String?
    /// The licence of the API, for the OpenAPI document.
    var licence: ServiceConfiguration.Licence?
    /// The first line of `--help`; `nil` for the title.
    var abstract: String?
    /// The text of `--help` below ``abstract``.
    var discussion = ""
    /// The path of the executable.
    var executable = CommandLine.arguments.first ?? ""
    /// The variables that the commands read.
    var environment = ProcessInfo.processInfo.environment
    /// The translations of the messages of ``pages``.
    var translations = Translations()
    /// The templates of ``pages`` for browsers, by name.
    var templates: [String: String] = [:]
    /// The static files of the templates, by path.
    var assets: [String: [UInt8]] = [:]
    /// Whether the program has the command `init`, which only a program without a package of its own needs.
    var createsPackages = false
    /// The migrations of the tables of ``pages``.
    var migrations: [SQLText] = []
    let pages: @Sendable (PageDependencies) throws -> [Page]

    /// The name of the executable.
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
