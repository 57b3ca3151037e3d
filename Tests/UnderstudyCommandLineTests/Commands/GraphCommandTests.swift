import Foundation
import TestSupport
import Understudy

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct GraphCommandTests {
    private let workplace = Workplace()

    // MARK: A page

    @Test func `an incomplete diagram is printed, with a hint on standard error`() async throws {
        let result = try await workplace.run("graph signup --states 2")
        #expect(result.status == 0)
        #expect(result.output.contains("stateDiagram-v2"))
        let hint = "The diagram ends at 2 states or 12 events in a row: raise --states or --depth to see more."
        #expect(result.errors == [hint])
    }

    @Test func `a page, an event or an option that cannot be used is one line of error`() async throws {
        try await workplace.expect(
            """
            $ graph nowhere
            error: There is no page 'nowhere'. The pages are: login, home, register, signup, products, product, email, …
            exit status 64
            $ graph login --event logout
            error: The page has no event 'logout'. Its events are: loginButtonPressed, …, lockEnded.
            exit status 64
            $ graph login --states 0
            error: The value '0' is invalid for '--states <states>': expected a whole number from 1 to 100000000
            exit status 64
            $ graph --user 1
            error: '--user' needs a page: the navigation graph has no states.
            exit status 64
            $ graph --event 1
            error: '--event' needs a page: the navigation graph has no states.
            exit status 64
            $ graph --depth 1
            error: '--depth' needs a page: the navigation graph has no states.
            exit status 64
            $ graph --states 1
            error: '--states' needs a page: the navigation graph has no states.
            exit status 64
            """
        )
    }

    @Test func `a state diagram can start with a logged-in user`() async throws {
        let result = try await workplace.run("graph home --user batman --event viewDidLoad")
        #expect(result.output.contains("    s0 --> s1 : viewDidLoad / render username=batman"))
        let anonymous = try await workplace.run("graph home --event viewDidLoad")
        #expect(anonymous.output.contains("    s0 --> s0 : viewDidLoad / goToPage login"))
    }

    // MARK: All pages

    @Test func `the command reports destinations that no page serves`() async throws {
        let application = Application(title: "Shop", version: "1") { _ in [Page("lift") { _ in LiftController() }] }
        let result = try await application.run("graph")
        result.expect(status: 0, errors: ["Events go to pages that the program does not contain: roof."])
    }

    @Test func `each diagram in the documentation is what its command prints`() async throws {
        let sections = try Checkout.text("docs/graphs.md").components(separatedBy: "\n## ").dropFirst()
        #expect(sections.count == 2)
        for section in sections {
            let lines = section.components(separatedBy: "\n")
            let command = try #require(lines.first { $0.hasPrefix("    understudy graph") })
            let arguments = command.split(separator: " ").dropFirst().map { String($0) }
            let diagram = lines.drop { $0 != "```mermaid" }.dropFirst().prefix { $0 != "```" }
            let printed = try await workplace.run(arguments)
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
