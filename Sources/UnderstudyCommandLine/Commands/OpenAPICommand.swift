import ArgumentParser
import Understudy

/// `understudy openapi`.
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration("openapi")

    func run() throws {
        let service = UnderstudyService(
            pages: try Application.current.pages(PageDependencies()),
            configuration: Application.current.serviceConfiguration
        )
        Terminal.print(service.openAPIDocument, terminator: "")
    }
}
