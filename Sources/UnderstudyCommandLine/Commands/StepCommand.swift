import ArgumentParser
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy step`.
struct StepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("step")

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
