import BusinessLogic
import Foundation
import Testing
import Understudy

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct NavigationGraphCommandTests {
    @Test func `without a page, the command prints the navigation graph`() async throws {
        let result = try await Application.bundled.run("graph")
        #expect(result.status == 0)
        #expect(result.errors == [])
        #expect(result.output.first == "flowchart LR")
        #expect(result.output.contains { $0.contains("productsButtonPressed") })
    }

    @Test func `the command reports destinations that no page serves`() async throws {
        let application = Application(title: "Shop", version: "1") { _ in [Page("lift") { _ in LiftController() }] }
        let result = try await application.run("graph")
        result.expect(status: 0, errors: ["Events go to pages that the program does not contain: roof."])
    }

    @Test(arguments: ["--user", "--event", "--depth", "--states"])
    func `an option of state diagrams needs a page`(option: String) async throws {
        let result = try await Application.bundled.run("graph", option, "1")
        result.expect(status: 64, errors: ["error: '\(option)' needs a page: the navigation graph has no states."])
    }

    @Test func `a state diagram can start with a logged-in user`() async throws {
        let result = try await Application.bundled.run("graph", "home", "--user", "batman", "--event", "viewDidLoad")
        #expect(result.output.contains("    s0 --> s1 : viewDidLoad / render username=batman"))
        let anonymous = try await Application.bundled.run("graph", "home", "--event", "viewDidLoad")
        #expect(anonymous.output.contains("    s0 --> s0 : viewDidLoad / goToPage login"))
    }

    @Test func `each diagram in the documentation is what its command prints`() async throws {
        let understudy = Application(title: "Understudy", version: "1", executable: "understudy") { dependencies in
            (Page.bundled(dependencies) + Page.accounts(dependencies)).withFactors(dependencies)
        }
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/graphs.md")
        let sections = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## ").dropFirst()
        #expect(sections.count == 2)
        for section in sections {
            let lines = section.components(separatedBy: "\n")
            let command = try #require(lines.first { $0.hasPrefix("    understudy graph") })
            let arguments = command.split(separator: " ").dropFirst().map { String($0) }
            let diagram = lines.drop { $0 != "```mermaid" }.dropFirst().prefix { $0 != "```" }
            let printed = try await understudy.run(arguments)
            #expect(printed.errors == [])
            #expect(Array(diagram) == printed.output, "\(command)")
        }
    }
}

/// A controller with a destination that no page serves.
private final class LiftController: BusinessLogicController {
    static let roof = Destination<()>("roof")

    static let events: EventTable<LiftController> = [
        .default("buttonPressed", gives: [.goes(to: roof)]) { $0.goToPage(roof) }
    ]

    typealias State = NoState
    weak var controllable: (any Controllable)?
}
