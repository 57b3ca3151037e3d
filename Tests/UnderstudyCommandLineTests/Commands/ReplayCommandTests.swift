@Suite(.fiveMinutes) struct ReplayCommandTests {
    let workplace = Workplace()

    static func lisaText() throws -> String { try Checkout.text("Examples/recordings/lisa.jsonl") }

    // MARK: serve --record

    @Test func `the demonstration's sessions are recorded and can be replayed`() async throws {
        let folder = workplace.path("recordings")
        try await withServer("--demo", "--record", folder) { _, port in
            for password in ["joker", "bruce"] { try await login(password, port) }
        }
        let files = try Files.names(in: folder).map { "\(folder)/\($0)" }
        #expect(files.count == 2)
        for file in files { try await workplace.expect("$ replay \(file)\n\(file): no difference (1 event)") }
    }

    @Test func `without the demonstration, users' values are redacted`() async throws {
        let folder = workplace.path("recordings")
        try await withServer("--record", folder) { _, port in try await login("joker", port) }
        let file = try #require(Files.names(in: folder).first)
        let text = try workplace.text("recordings/\(file)")
        #expect(text.contains(#""username":"xxxxxx""#))
        #expect(!text.contains("batman"))
    }

    func login(_ password: String, _ port: UInt16) async throws {
        try await post("/login", "username=batman&password=\(password)", port).expect()
    }

    // MARK: replay

    @Test func `each difference is printed`() async throws {
        let other = try workplace.file(
            "other.jsonl",
            Self.lisaText().replacing("Wrong username or password", with: "Wrong password")
        )
        try await workplace.expect(
            """
            $ replay \(other)
            \(other): event 1 (loginButtonPressed) of page login, command 1
              recorded: {"command":"render","key":"message","value":"Wrong password","code":"login.wrongCredentials"}
              now:      {"command":"render","key":"message","value":"Wrong username or password","code":"login.wrongCredentials"}
            \(other): 1 difference (13 events)
            exit status 1
            """
        )
    }

    @Test func `an event that cannot be compared is printed, and has its own exit status`() async throws {
        let file = try workplace.file(
            "report.jsonl",
            """
            {"recording":1,"understudy":"0.1.0","started":0,"redacted":false}
            {"page":"home","event":"logoutButtonPressed","values":{},"erased":[],"answers":[],"commands":[],\
            "failure":{"code":"cancelled"}}

            """
        )
        try await workplace.expect(
            """
            $ replay \(file)
            \(file): event 1 (logoutButtonPressed) of page home is not compared: it was cancelled before its end
            \(file): no difference (1 event, 1 not compared)
            exit status 2
            """
        )
    }

    @Test func `the complete lines of an incomplete recording are replayed`() async throws {
        let file = try workplace.file("cut.jsonl", String(Self.lisaText().dropLast(9)))
        try await workplace.expect(
            """
            $ replay \(file)
            \(file): no difference (12 events)
            \(file): the last line is incomplete; the events before it are replayed.
            """
        )
    }

    // `ReplaySeveralTests` has other reasons.
    @Test func `an invalid recording is one line of error`() async throws {
        let file = try workplace.file("x.jsonl", #"{"recording":7}"#)
        try await workplace.expect(
            """
            $ replay \(file)
            error: The file '\(file)' cannot be replayed: the recording has format 7; this version reads format 1.
            exit status 2
            """
        )
    }
}
