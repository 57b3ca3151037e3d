import UnderstudySessions

struct RecordingTests {
    static let header = #"{"recording":1,"understudy":"0.1.0","started":1700000000000,"redacted":false}"#
    static let event = """
        {"page":"register","event":"textFieldDidEndEditing","values":{"userID":"1"},"erased":[],"answers":[],"commands":[\
        {"command":"render","key":"userID","value":null}]}
        """

    func recording(_ text: String) throws -> Recording { try Recording(text.bytes) }

    @Test(arguments: ["", "\n", "hello", "[]", "{}", #"{"recording":"1"}"#, #"{"page":"login"}"#, "\u{FEFF}{}"])
    func `another text is not a recording`(text: String) {
        #expect(throws: RecordingError.noRecording) { try recording(text) }
    }

    @Test func `a recording of another format is rejected with its number`() {
        #expect(throws: RecordingError.otherFormat(2)) { try recording(#"{"recording":2}"#) }
        #expect(throws: RecordingError.otherFormat(0)) { try recording(#"{"recording":0}"#) }
    }

    @Test(arguments: ["{}", "[]", "null", #"{"page":"login"}"#, String(event.dropLast(9))])
    func `the error names a line that is not an event`(line: String) {
        #expect(throws: RecordingError.malformedLine(3)) {
            try recording([Self.header, Self.event, line, Self.event].joined(separator: "\n"))
        }
    }

    @Test func `a truncated last line is left out`() throws {
        for count in 1..<Self.event.utf8.count {
            let text = [Self.header, Self.event, String(Self.event.prefix(count))].joined(separator: "\n")
            let recording = try recording(text)
            #expect(recording.events.count == 1)
            #expect(recording.isCut)
        }
    }

    @Test(
        arguments: [
            .render("key", .null), .render("key", ["a": [1, 1.5, true]]), .render("key", .wrongCredentials),
            .render("key", Message(code: "a.b", text: "text", parameters: ["digits": 12])),
            .showAlert(.tooManyLoginAttempts), .goToPage("Home"), .goToPage("Detail", ["product": ["name": "Car"]]),
        ] as [Command]
    )
    func `a command is read as it was written`(command: Command) throws {
        let json = try JSONReader.read(JSONWriter.bytes { $0.command(command) })
        #expect(try Command(json: json.object ?? [:]) == command)
    }

    @Test func `only an event that was cancelled outside a collaborator is not compared`() async throws {
        func event(_ answers: String) -> String {
            #"{"page":"login","event":"loginButtonPressed","values":{"username":"a"},"erased":["password"],"answers":["#
                + #"{"from":"clock","answer":0}\#(answers)],"commands":[],"failure":{"code":"cancelled"}}"#
        }
        let known = event(#",{"from":"credentials","failure":{"code":"cancelled"}}"#)
        let other = Self.event.replacing("null}]", with: #""1"}]"#)
        let recording = try recording([Self.header, known, event(""), other].joined(separator: "\n"))
        let findings = try await recording.findings(on: Page.bundled())
        #expect(findings.map(\.event) == [2, 3])
        #expect(findings.first?.kind == .notCompared(reason: "it was cancelled before its end"))
        #expect(findings.last?.isNotCompared == false)
    }

    @Test(arguments: [Int.max, .min])
    func `extreme times and delays are read without a trap`(number: Int) async throws {
        let time = #"{"from":"clock","answer":\#(number)}"#
        let failure = #""failure":{"code":"overloaded","retryAfter":\#(number)}"#
        let event = """
            {"page":"login","event":"loginButtonPressed","values":{"username":"a"},"erased":["password"],"answers":[\(time),\
            {"from":"credentials","answer":null},\(time),{"from":"credentials",\(failure)}],"commands":[],\(failure)}
            """
        let recording = try recording([Self.header, event, event].joined(separator: "\n"))
        let limit = LoginAttempts.Limit(failures: 1)
        #expect(try await recording.findings(on: Page.bundled(loginLimit: limit)).first?.event == 1)
    }

    @Test(
        arguments: [
            .init(.unavailable, retryAfter: .seconds(1)), .init(.overloaded, retryAfter: .milliseconds(1500)),
            .init(.tooManyRequests, retryAfter: .seconds(600)), .init(.cancelled), .init(.other),
        ] as [CollaboratorFailure]
    )
    func `a collaborator's error is read as it was written`(failure: CollaboratorFailure) throws {
        #expect(CollaboratorFailure(recorded: try JSONReader.read(failure.value.json)) == failure)
    }
}
