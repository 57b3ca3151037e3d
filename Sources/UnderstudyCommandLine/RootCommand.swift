import ArgumentParser
import BusinessLogic
import Glibc
import Synchronization

struct RootCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Application.current.commandName,
            abstract: Application.current.abstract ?? Application.current.title,
            discussion: Application.current.discussion,
            version: Application.current.versionLine,
            subcommands: [
                ServeCommand.self, ConfigCommand.self, AccountCommand.self, SessionCommand.self, ProductsCommand.self,
                MailCommand.self, AuditCommand.self, DatabaseCommand.self, BackupCommand.self, RestoreCommand.self,
                HealthcheckCommand.self, StatusCommand.self, ExplainCommand.self, OpenAPICommand.self,
                GraphCommand.self, ReplayCommand.self, CompareCommand.self, StepCommand.self,
                MessagesCommand.self,
            ] + (Application.current.createsPackages ? [InitCommand.self] : [])
        )
    }

    /// Runs the command that the process's arguments name, and exits if it fails.
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let status = try await run(arguments)
        if status != ExitCode.success.rawValue { Glibc.exit(status) }
        let failure = Terminal.outputFailure.load(ordering: .relaxed)
        if failure != 0 {
            printError("The output cannot be written: \(systemError(failure)).", as: .ofErrors(of: arguments))
            Glibc.exit(ExitCode.failure.rawValue)
        }
    }

    /// Runs the command that the arguments name, and returns the exit status. An error is one line on standard error.
    static func run(_ arguments: [String]) async throws -> Int32 {
        do {
            // Swift puts this character for what is not UTF-8: another text than the typed one would be stored.
            if arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
                throw ValidationError("An argument is not in UTF-8.")
            }
            var command = try parseAsRoot(arguments)
            try requireOnce(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitCode.success.rawValue
        } catch let error as CancellationError {
            throw error
        } catch {
            return report(error, as: .ofErrors(of: arguments))
        }
    }

    /// The options that can be given several times.
    private static let repeatable: Set = ["--add", "--page"]

    /// - Throws: `ValidationError` if an option is given twice. ArgumentParser would take the last one.
    private static func requireOnce(_ arguments: [String]) throws {
        let names = arguments.prefix { $0 != "--" }.map { $0.prefix { $0 != "=" } }.filter { $0.hasPrefix("--") }
        var known: Set<Substring> = []
        for name in names where !known.insert(name).inserted && !repeatable.contains(String(name)) {
            throw ValidationError("'\(name)' is given twice: give it once.")
        }
    }

    /// Prints an error as a line on standard error, or ArgumentParser's help text or version that the user requested. Returns the exit status.
    private static func report(_ error: any Error, as format: LogFormat) -> Int32 {
        let (message, status): (String?, Int32)
        switch error {
        // ArgumentParser would format the help of all options first, which takes half a second in a debug build.
        case let error as ValidationError: (message, status) = (error.message, ExitCode.validationFailure.rawValue)
        case let error as CollaboratorError: (message, status) = (error.explanation, ExitCode.failure.rawValue)
        case let error as CommandError: (message, status) = (error.description, error.status)
        default: (message, status) = (self.message(for: error), exitCode(for: error).rawValue)
        }
        if status == ExitCode.success.rawValue {
            Terminal.print(fullMessage(for: error))
        } else if let message, !message.isEmpty {
            printError(message, as: format)
        }
        return status
    }

    private static func printError(_ message: String, as format: LogFormat) {
        switch format {
        case .text: Terminal.printError(message)
        case .json: Terminal.printProgress(LogLines.error(Terminal.line(of: message)))
        }
    }
}

extension Application {
    /// Runs the command that the process's arguments name. If it fails, this prints one line to standard error and exits.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func run() async throws { try await Application.$current.withValue(self) { try await RootCommand.main() } }
}

extension LogFormat {
    /// The format of a command's errors: for `serve` that of its log, otherwise text.
    fileprivate static func ofErrors(of arguments: [String]) -> LogFormat {
        guard arguments.first == ServeCommand.configuration.commandName else { return .text }
        // Not parsed, because other arguments may be what is invalid.
        func option(_ name: String) -> String? {
            let values = zip(arguments, arguments.dropFirst() + [""]).compactMap { argument, next in
                argument == "--\(name)"
                    ? next : argument.hasPrefix("--\(name)=") ? String(argument.dropFirst(name.count + 3)) : nil
            }
            return values.last
        }
        if let format = option(Settings.logFormat.name).flatMap(LogFormat.init) { return format }
        // The configuration file may be what is invalid.
        for file in [option("config"), ""] {
            if let format = try? SettingsReader(file: file).value(Settings.logFormat) { return format }
        }
        return Settings.logFormat.defaultValue
    }
}
