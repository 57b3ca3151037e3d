struct SessionRecorderTests {
    let place = RecordingDirectory()

    @Test func `an event is a line with its values, commands and collaborators' results`() async throws {
        let client = TestClient(try place.service(Page.demo()))
        try await client.logIn("joker")
        try await client.post("/register", "userID=012345 678912")
        try await client.logIn()
        let recording = try place.recording
        #expect(recording.understudy == UnderstudyService.version)
        #expect(!recording.isRedacted && !recording.isCut)
        let events = recording.events
        #expect(events.map(\.page) == ["login", "register", "login"])
        #expect(events.map(\.event) == ["loginButtonPressed", "textFieldDidEndEditing", "loginButtonPressed"])
        let batman: Value.Object = ["username": "batman"]
        #expect(events.map(\.values) == [batman, ["userID": "012345 678912"], batman])
        #expect(events.map(\.erased) == [["password"], [], ["password"]])
        let results = events.map { $0.results.map(\.name) }
        #expect(results == [["clock", "credentials", "clock"], [], ["clock", "credentials"]])
        #expect(
            events.map(\.commands) == [
                [.render("message", .wrongCredentials)],
                [.render("userID", "012345678912"), .render("errorMessage", .null)], [.goToPage("Home")],
            ]
        )
    }

    @Test func `neither the file nor its name contains secrets or tokens`() async throws {
        let pages = Page.bundled(credentials: FixedCredentials.demo, passwordPolicy: NonEmptyPasswordPolicy())
        let client = try await TestClient.withToken(place.service(pages))
        let token = try #require(client.token)
        try await client.post("/signup", "name=Lisa&email=lisa@rules.com&password=saxophone")
        try await client.post("/signup", "event=passwordChanged&password=saxophone")
        let newToken = try #require(await client.logIn()["token"]?.string)
        let text = try place.text
        for secret in ["saxophone", "bruce", token, newToken] {
            #expect(!text.contains(secret))
            #expect(try !place.files[0].path.contains(secret))
        }
        #expect(try place.recording.events.count == 3)
    }

    @Test func `only the owner can read the file`() async throws {
        try await place.record { try await $0.post("/products") }
        let attributes = try FileManager.default.attributesOfItem(atPath: place.files[0].path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `the recording marks an empty secret as empty`() async throws {
        let events = try await place.record { client in
            for password in [#""""#, "null"] {
                try await client.post("/signup", #"{"event": "passwordChanged", "values": {"password": \#(password)}}"#)
            }
        }.events
        #expect(events.map(\.values) == [["password": ""], ["password": nil]])
        #expect(events.map(\.erased) == [[], []])
    }

    @Test func `a recording of structured values replays, and contains no secret member`() async throws {
        let pages = [OrderController.page]
        let lines = #"[{"product":"tea","size":"large","count":2,"isHot":true}]"#
        let others = #""day":"2027-03-01","gift":{"paper":"red","code":"7f3a"},"tags":["x","y"]"#
        let recording = try await place.record(pages) { client in
            try await client.post("/order", #"{"lines":\#(lines),\#(others)}"#)
            try await client.post("/order", "lines.0.product=milk&lines.0.size=small&lines.0.count=1")
            try await client.post("/order", #"{"lines":[]}"#)
        }
        #expect(recording.events.first?.values["gift"] == ["paper": "red", "code": "erased"])
        #expect(recording.events.first?.erased == [])
        #expect(recording.events.map { $0.values["lines"]?.array?.count } == [1, 1, 0])
        #expect(recording.events.map { $0.problem?["code"] } == [nil, nil, "wrongCount"])
        #expect(try await recording.findings(on: pages) == [])
        #expect(try !place.text.contains("7f3a"))
    }

    @Test func `secrets of new factors are in no recording, and in no history once they are not shown`() async throws {
        let pages = Page.bundled(factors: FactorsSpy()) + Page.factors(FactorsSpy())
        let client = TestClient(try place.service(pages))
        try await client.useNewToken()
        try await client.logInWithPasskey()
        #expect(try await client.post("/factors", "event=createAppButtonPressed").text.contains("S3CR 3T"))
        #expect(try await client.get("/session/history").text.contains("S3CR 3T"))
        let confirmed = try await client.post("/factors", "event=confirmAppButtonPressed&code=123456")
        #expect(confirmed.text.contains("s3cr3t-code"))
        let history = try await client.get("/session/history")
        #expect(!history.text.contains("S3CR 3T"))
        #expect(history.text.contains("s3cr3t-code"))
        try await client.post("/factors", "event=recoveryCodesKeptButtonPressed")
        for path in ["/session/history", "/factors"] {
            #expect(!(try await client.get(path).text.lowercased().contains("s3cr")))
        }
        let recording = try place.recording
        #expect(recording.events.count == 5)
        #expect(recording.events.dropLast().last?.commands.contains(.render("recoveryCodes", [""])) == true)
        let file = try place.text
        #expect(!file.lowercased().contains("s3cr"))
        #expect(!file.contains("123456"))
        #expect(try await recording.findings(on: pages) == [])
    }

    @Test func `two sessions at once are recorded to two files`() async throws {
        let service = try place.service([CountingController.page])
        try await concurrently(2) { _ in
            let client = TestClient(service)
            for _ in 1...20 { try await client.post("/counter") }
        }
        let recordings = try place.files.map { try Recording(Array(Data(contentsOf: $0))) }
        #expect(recordings.map(\.events.count) == [20, 20])
        for recording in recordings { #expect(try await recording.findings(on: [CountingController.page]) == []) }
    }

    @Test func `a file that exists stays as it is, and the recording's name gets a number`() async throws {
        let client = try await TestClient.withToken(place.service())
        let name = try #require(client.token).bytes.withUnsafeBytes { SessionToken($0)?.id.brief ?? "" }
        let file = place.folder.url.appending(path: "\(name).jsonl")
        try Data("other".bytes).write(to: file)
        try await client.post("/products")
        #expect(try Set(place.files.map(\.lastPathComponent)) == ["\(name).jsonl", "\(name)-2.jsonl"])
        #expect(try Data(contentsOf: file) == Data("other".bytes))
    }

    @Test func `a session whose file is gone is no longer recorded, as the log says once`() async throws {
        let log = LogCapture()
        let client = TestClient(try place.service(logger: log.logger))
        try await client.post("/products")
        let file = try place.files[0]
        try FileManager.default.removeItem(at: file)
        for _ in 1...2 { try await expect(client.post("/products"), 200) }
        #expect(try place.files == [])
        let errors = log.lines.filter { $0.level == .error }
        #expect(errors.map(\.message) == ["A session is no longer recorded"])
        #expect(errors.first?["session"] == file.deletingPathExtension().lastPathComponent)
        #expect(errors.first?["error"] == "No such file or directory")
    }

    @Test func `a rejected event without a session is not recorded, and creates no file`() async throws {
        let client = TestClient(try place.service())
        for form in ["username=batman", "event=unknown"] { try await expect(client.post("/login", form), 422) }
        #expect(try place.files == [])
    }

    @Test func `a rejected event of a session is recorded with its problem`() async throws {
        let client = TestClient(try place.service())
        try await client.post("/products")
        try await client.post("/login", #"{"values": {"username": 1}}"#)
        try await client.post("/login", "event=unknown&username=1")
        let recording = try place.recording
        #expect(recording.events.map(\.event) == ["onStart", "loginButtonPressed", "unknown"])
        #expect(recording.events.map(\.values) == [[:], ["username": 1], [:]])
        let problem = try #require(recording.events[1].problem)
        #expect(problem["status"] == 422)
        #expect(problem["code"] == "wrongFieldType")
        #expect(problem["requestID"] == nil)
        #expect(problem["errors"]?.array?.map { $0["pointer"] } == ["/username", "/password"])
        #expect(recording.events[2].problem?["code"] == "unknownEvent")
        #expect(try await recording.findings(on: Page.demo()) == [])
    }

    @Test func `a recording contains the user after each event`() async throws {
        let client = TestClient(try place.service())
        try await client.post("/login")
        try await client.logIn()
        try await client.post("/products")
        try await expect(client.post("/login", "event=unknown"), 422)
        let lines = try place.text.split(separator: "\n").dropFirst()
        let users = try lines.map { try JSONReader.read($0.bytes).object?["user"] }
        #expect(users == [["username": "batman"], ["username": "batman"], ["username": "batman"]])
    }

    @Test func `a redacted recording keeps only the shape of texts`() async throws {
        let client = TestClient(try place.service(isRedacted: true))
        try await client.logIn()
        try await client.post("/register", "userID=912345 678912")
        try await client.post("/email", "email=Lisa@rules.com")
        let text = try place.text
        for personal in ["batman", "bruce", "912345", "isa", "rules"] { #expect(!text.contains(personal)) }
        let recording = try place.recording
        #expect(recording.events[1].values == ["userID": "000000 000000"])
        #expect(recording.events[2].values == ["email": "Xxxx@xxxxx.xxx"])
        #expect(try await recording.findings(on: Page.bundled()) == [])
    }

    @Test func `a client can download its session's recording`() async throws {
        let client = TestClient(try place.service())
        try await client.post("/products")
        let answer = try await client.get("/session/recording")
        expect(answer, 200, has: ["Content-Type": "application/jsonl"])
        #expect(try answer.text == place.text)
    }

    @Test func `the recording of a session without an event is its header`() async throws {
        let client = try await TestClient.withToken(place.service())
        #expect(try await Recording(client.get("/session/recording").body).events == [])
    }

    @Test(arguments: [("/proc/recordings", "No such file or directory"), ("/dev/null", "Not a directory")])
    func `a folder that is not writable is rejected`(path: String, reason: String) {
        #expect(throws: RecordingError.folder(path, reason: reason)) { try RecordingFolder(path) }
    }
}
