import BundledPages
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// A controller that throws a die.
private final class DieController: StatelessController, BusinessLogicController {
    static let points = Output<Int>("points")

    static let events: EventTable<DieController> = [
        .default("thrown", gives: [.renders(points)]) { controller in
            let number = Int.random(in: 1...6, using: &controller.random)
            controller.render(points, number)
        }
    ]

    private var random: any RandomNumberGenerator & Sendable

    init(_ random: any RandomNumberGenerator & Sendable) {
        self.random = random
    }
}

@Suite struct RecordedResultsTests {
    private static func save(_ session: RecordedSession) async throws {
        try await session["email"].send("emailChanged", ["email": "lisa@rules.example"])
        session["email"].expect(.render("saveButtonEnabled", true))
        try await session["email"].send("saveButtonPressed")
    }

    @Test func `a collaborator returns the recorded results`() async throws {
        let session = RecordedSession(Page.bundled())
        session.results = [.from("personSaving", true)]
        try await Self.save(session)
        session["email"].expect(.goToPage("advance"))
        session.results = [.from("personSaving", throws: CollaboratorError.overloaded(retryAfter: .seconds(3)))]
        await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(3))) {
            try await session["email"].send("saveButtonPressed")
        }
        session.finish()
    }

    @Test func `a collaborator without a result fails the test where the session was created`() async throws {
        let line = #line + 1
        let session = RecordedSession(Page.bundled())
        await #expect(throws: (any Error).self) { try await Self.save(session) }
        withKnownIssue {
            session.finish()
        } matching: {
            $0.comments.map(\.rawValue) == [
                "the collaborator 'personSaving' is called, but the recording contains no further result of it"
            ]
                && $0.sourceLocation?.line == line
        }
    }

    @Test func `a random source returns the recorded numbers`() async throws {
        let session = RecordedSession([Page("die") { DieController($0.recorded(SystemRandomNumberGenerator())) }])
        session.results = [.from("random", 5), .from("random", -1)]
        try await session["die"].send("thrown")
        session["die"].expect(.render("points", 1))
        try await session["die"].send("thrown")
        session["die"].expect(.render("points", 6))
        session.finish()
    }
}
