import ArgumentParser
import BusinessLogic
import CBuild
import MicroHTTP
import Understudy

/// The command line of a server, as a library.
public enum UnderstudyCommandLine {
    /// Runs the command that the process's arguments name, and ends the process if that fails.
    public static func run() async {
        await UnderstudyCommand.main()
    }
}

/// The command `understudy`.
struct UnderstudyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "understudy",
        abstract: "Serves business logic without its screens.",
        discussion: """
            Try it: understudy serve --demo
            and in another terminal: curl -d username=batman -d password=bruce localhost:8080/login
            """,
        version: version,
        subcommands: [
            Serve.self, ConfigCommand.self, AccountCommand.self, ProductsCommand.self, Backup.self, Healthcheck.self,
            OpenAPI.self, Graph.self, ReplayCommand.self,
        ]
    )

    /// What a bug report needs: the version, the commit if `scripts/build` has built it, and the library that runs.
    private static var version: String {
        let commit = String(cString: CBuild_commit)
        let parts = (commit.isEmpty ? [] : ["commit \(commit)"]) + ["libmicrohttpd \(Server.libraryVersion)"]
        return "understudy \(UnderstudyService.version) (\(parts.joined(separator: ", ")))"
    }

    /// Runs the command that the arguments name. An error is one line on standard error.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as CollaboratorError {
            if let explanation = error.explanation { Terminal.printError(explanation) }
            exit(withError: ExitCode.failure)
        } catch {
            // ArgumentParser looks at all options to make either of them, which takes half a second in a debug build.
            let code = exitCode(for: error)
            let text = code.isSuccess ? "" : message(for: error)
            if text.isEmpty { exit(withError: error) }
            Terminal.printError(text)
            exit(withError: code)
        }
    }
}
