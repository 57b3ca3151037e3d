import ArgumentParser
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy step`.
struct StepCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "step",
            abstract: "Run single events without a server: a line of JSON in, a line of JSON out.",
            discussion: """
                Each line of standard input is an object: 'page', 'event' (by default that of the page), 'values', 'state' (that of an \
                earlier step; by default that of a new session), 'clock' (milliseconds since 1970, by default 0), and 'answers', the \
                results of collaborators, as in a recording. A line of a recording is a step. Collaborators whose results recordings \
                contain are not called.

                For each line, the command prints an object: 'state', the response with the members of a recording ('commands', 'ok', \
                'errors', 'user', 'validations', 'failure', 'problem'), 'calls', the names of the collaborators that the event has \
                called, in order, and 'missing', the first one without a result. Equal states are equal texts. For a line that is not \
                a step, it prints an object with 'error', and continues.

                Exit status: 0 all lines were steps, 1 a line was not a step, 64 wrong usage.
                """
        )
    }

    func run() async throws {
        let step = ApplicationStep(try Application.current.pages(PageDependencies()))
        var hasFailed = false
        while let line = readLine() {
            var output: Value.Object
            do {
                output = try await step.run(Array(line.utf8))
            } catch {
                output = ["error": .string("\(error)")]
                hasFailed = true
            }
            Terminal.print(String(decoding: Value.object(output).json.dropLast(), as: UTF8.self))
        }
        if hasFailed { throw ExitCode.failure }
    }
}
