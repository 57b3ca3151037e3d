extension Recording.Finding {
    /// What the recording contains, if the finding is a difference.
    var recorded: String? { if case .difference(_, let recorded, _) = kind { recorded } else { nil } }

    /// What the replay gives, if the finding is a difference.
    var now: String? { if case .difference(_, _, let now) = kind { now } else { nil } }
}

struct RecordingReplayTests {
    let place = RecordingDirectory()

    @Test func `a session over all pages replays as recorded, without its collaborators`() async throws {
        let pages = Page.bundled(
            credentials: FixedCredentials.demo,
            passwordPolicy: NonEmptyPasswordPolicy(),
            repository: ProductsRepository.demo
        )
        // Without a token, a login keeps the client's session.
        let client = TestClient(try place.service(pages))
        for (path, form) in [
            ("/login", "username=batman&password=joker"), ("/login", "username=batman&password=bruce"),
            ("/register", "userID=012345 678912"), ("/signup", "name=Lisa&email=lisa@rules&password=saxophone"),
            ("/signup", "name=Lisa&email=lisa@rules.com&password=saxophone"),
            ("/signup", "name=Lisa&email=lisa@rules.com&password="), ("/products", "{}"),
            ("/products", "event=onSelected&product=Car"), ("/product", "product=Boat"),
            ("/email", "email=lisa@rules.com"), ("/email", "event=saveButtonPressed"),
        ] { try await expect(client.post(path, form), 200) }
        let recording = try place.recording
        #expect(recording.events.count == 11)
        // Without accounts and products: all results come from the recording.
        #expect(try await recording.findings(on: Page.bundled()) == [])
    }

    @Test func `the clock returns the recorded times`() async throws {
        let clock = ManualClock()
        let recording = try await place.record(Page.bundled(clock: clock)) { client in
            for number in 1...7 {
                if number == 7 { clock.advance(by: .seconds(15 * 60)) }
                try await client.logIn("joker")
            }
        }
        #expect(recording.events.last?.commands == [.render("message", .wrongCredentials)])
        #expect(try await recording.findings(on: Page.bundled()) == [])
    }
}
