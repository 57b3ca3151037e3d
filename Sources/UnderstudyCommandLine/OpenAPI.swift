import ArgumentParser
import BundledPages
import Understudy

/// `understudy openapi`.
struct OpenAPI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Print the OpenAPI document of the bundled pages, as YAML."
    )

    func run() throws {
        Terminal.print(UnderstudyService(pages: Page.bundled()).openAPIDocument, terminator: "")
    }
}
