import ArgumentParser
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy step`.
struct StepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "step",
        abstract: "Run single events without a server: a line of JSON in, a line of JSON out.",
        discussion: """
            Each line of standard input is an object: 'page', 'event' (by default that of the page), 'values', 'state' (that of an \
            earlier step; by default that of a new session), 'clock' (milliseconds since 1970, by default 0), and 'answers', the \
            results of collaborators, as in a recording. A line of a recording is a step; another member is an error. Collaborators \
            whose results recordings contain are not called.

            For each line, the command prints an object: 'state', 'outline' (what later events depend on in it, with times as objects \
            with the member '\(Timestamp.mark)'), the response with the members of a recording ('commands', 'ok', \
            'errors', 'user', 'validations', 'failure', 'problem'), 'calls', the names of the collaborators that the event has \
            called, in order, and 'missing', the first one without a result, or 'invalid' if its result has another type. \
            'updates' are those that can run next, with the times of timers as 'at'. Equal states are equal texts. For a line \
            that is not a step, it prints an object with 'error', and continues.

            For the line {"describe": true}, it prints the pages with the inputs that 'compare' sends and the outcomes that events declare, and the documents. The results of \
            collaborators are those at 'clock', and 'resultsDayLater' contains those that differ a day later.

            Exit status: 0 all lines were steps, 1 a line was not a step, 64 wrong usage.
            """
    )

    func run() async throws {
        let pages = try Application.current.pages(.withAllPasswordMessages)
        let step = ApplicationStep(pages)
        var hasFailed = false
        while let line = readLine() {
            var output = await step.answer(line: Array(line.utf8))
            if output["pages"] != nil { output["documents"] = .object(try Self.documents(of: pages)) }
            if output["error"] != nil { hasFailed = true }
            Terminal.print(Value.object(output).line)
        }
        if hasFailed { throw ExitCode.failure }
    }

    /// What the program says about itself in documents.
    private static func documents(of pages: [Page]) throws -> Value.Object {
        let service = UnderstudyService(pages: pages, configuration: Application.current.serviceConfiguration)
        let texts = try MessageCatalog(pages).json(Application.current.translations.completed)
        return [
            "OpenAPI": try JSONReader.read(service.openAPIJSON),
            "texts": try JSONReader.read(Array(texts.utf8)).object?["strings"] ?? .null,
        ]
    }
}
