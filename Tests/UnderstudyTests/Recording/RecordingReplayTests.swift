import TestSupport

@testable import UnderstudySessions
@testable import UnderstudyReplay

extension Recording.Finding {
    /// What the recording contains, if the finding is a difference.
    var recorded: String? {
        if case .difference(_, let recorded, _) = kind { recorded } else { nil }
    }

    /// What the replay gives, if the finding is a difference.
    var now: String? {
        if case .difference(_, _, let now) = kind { now } else { nil }
    }
}

@Suite struct RecordingReplayTests {
    private let place = RecordingDirectory()

    @Test func `a session over all pages replays as recorded, without its collaborators`() async throws {
        let pages = Page.bundled(
            credentials: FixedCredentials.demo,
            passwordPolicy: NonEmptyPasswordPolicy(),
            repository: ProductsRepository.demo
        )
        let client = TestClient(try place.service(pages))
        for password in ["joker", "bruce"] {
            try await client.post("/login", #"{"username": "batman", "password": "\#(password)"}"#)
        }
        try await client.post("/register", #"{"userID": "012345 678912"}"#)
        for email in ["lisa@rules", "lisa@rules.com"] {
            try await client.post("/signup", #"{"name": "Lisa", "email": "\#(email)", "password": "saxophone"}"#)
        }
        try await client.post("/signup", #"{"name": "Lisa", "email": "lisa@rules.com", "password": ""}"#)
        try await client.post("/products")
        try await client.post("/products", #"{"event": "onSelected", "values": {"product": "Car"}}"#)
        try await client.post("/product", #"{"product": "Boat"}"#)
        try await client.post("/email", #"{"email": "lisa@rules.com"}"#)
        try await client.post("/email", #"{"event": "saveButtonPressed"}"#)
        let recording = try place.recording
        #expect(recording.events.count == 11)
        // Without accounts and products: all results come from the recording.
        #expect(try await recording.findings(on: Page.bundled()) == [])
    }

    @Test func `the clock returns the recorded times`() async throws {
        let clock = ManualClock()
        let pages = Page.bundled(clock: clock)
        let recording = try await place.record(pages) { client in
            for number in 1...7 {
                if number == 7 { clock.advance(by: .seconds(15 * 60)) }
                try await client.post("/login", #"{"username": "batman", "password": "joker"}"#)
            }
        }
        #expect(recording.events.last?.commands == [.render("message", .wrongCredentials)])
        #expect(try await recording.findings(on: Page.bundled()) == [])
    }
}
