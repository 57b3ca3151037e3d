import ArgumentParser
import Understudy

/// `understudy openapi`.
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Print the OpenAPI document of the pages, as YAML."
    )

    func run() throws {
        let service = UnderstudyService(
            pages: try Application.current.pages(PageDependencies()),
            configuration: Application.current.serviceConfiguration
        )
        Terminal.print(service.openAPIDocument, terminator: "")
    }
}
