import ArgumentParser
import BusinessLogic
import Glibc

/// The command that contains all others.
struct RootCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Application.current.commandName,
            abstract: Application.current.abstract,
            discussion: Application.current.discussion,
            version: Application.current.versionLine,
            subcommands: [
                ServeCommand.self, ConfigCommand.self, AccountCommand.self, ProductsCommand.self,
                DatabaseCommand.self, BackupCommand.self, HealthcheckCommand.self, OpenAPICommand.self,
                GraphCommand.self, ReplayCommand.self,
                MessagesCommand.self,
            ] + (Application.current.createsPackages ? [InitCommand.self] : [])
        )
    }

    /// Runs the command that the process's arguments name, and exits if it fails.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    static func main() async throws {
        let status = try await run(Array(CommandLine.arguments.dropFirst()))
        if status != ExitCode.success.rawValue { Glibc.exit(status) }
    }

    /// Runs the command that the arguments name. An error is one line on standard error.
    ///
    /// - Returns: the exit status.
    /// - Throws: `CancellationError` if the task is cancelled.
    static func run(_ arguments: [String]) async throws -> Int32 {
        var command: any ParsableCommand
        do {
            command = try parseAsRoot(arguments)
        } catch {
            return report(error)
        }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitCode.success.rawValue
        } catch let error as CancellationError {
            throw error
        } catch let error as ValidationError {
            // ArgumentParser would format the help of all options first, which takes half a second in a debug build.
            Terminal.printError(error.message)
            return ExitCode.validationFailure.rawValue
        } catch let error as CollaboratorError {
            if let explanation = error.explanation { Terminal.printError(explanation) }
            return ExitCode.failure.rawValue
        } catch let error as CommandError {
            Terminal.printError(error.description)
            return ExitCode.failure.rawValue
        } catch {
            return report(error)
        }
    }

    /// Prints ArgumentParser's text for an error: a line on standard error, or the help text or version that the user requested.
    private static func report(_ error: any Error) -> Int32 {
        let code = exitCode(for: error)
        if code.isSuccess {
            Terminal.print(fullMessage(for: error))
        } else {
            let message = message(for: error)
            if !message.isEmpty { Terminal.printError(message) }
        }
        return code.rawValue
    }
}
