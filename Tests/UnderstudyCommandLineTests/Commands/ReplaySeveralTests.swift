@testable import UnderstudyCommandLine

/// `understudy replay` of several recordings.
@Suite(.fiveMinutes) struct ReplaySeveralTests {
    let workplace = Workplace()

    // MARK: Recordings

    let header = #"{"recording":1,"understudy":"0.1.0","started":0,"redacted":false}"#

    /// An input of the register page that its rule rejects.
    func rejected(_ userID: String = "1", _ text: String = "A user ID has exactly twelve digits")
        -> String
    {
        let members = #""code":"registration.invalidUserID","parameters":{"digits":12}"#
        return #"{"page":"register","event":"textFieldDidEndEditing","erased":[],"answers":[],"user":null,"#
            + #""values":{"userID":"\#(userID)"},"commands":[{"command":"render","key":"userID","value":null},"#
            + #"{"command":"render","key":"errorMessage","value":"\#(text)",\#(members)}],"ok":false,"#
            + #""errors":[{"field":"userID","message":"\#(text)",\#(members)}],"#
            + #""validations":{"userID":{"valid":false,"message":"A user ID has exactly twelve digits",\#(members)}}}"#
    }

    /// An event of the home page that was cancelled.
    let abandoned =
        #"{"page":"home","event":"logoutButtonPressed","values":{},"erased":[],"answers":[],"commands":[],"#
        + #""failure":{"code":"cancelled"}}"#

    /// A file with these lines, or with one input that is rejected.
    @discardableResult
    func recording(_ name: String, _ lines: String...) throws -> String {
        try workplace.file(name, ([header] + (lines.isEmpty ? [rejected()] : lines)).text + "\n")
    }

    func replay(_ arguments: String...) async throws -> Program.Result {
        try await workplace.run(["replay"] + arguments)
    }

    // MARK: Changed

    @Test func `recordings with one cause are a group, with the first difference of the shortest`() async throws {
        let other = rejected("4", "Twelve digits")
        try recording("a.jsonl", rejected(), rejected(), rejected("3", "12 digits"))
        let shortest = try recording("b.jsonl", rejected(), other)
        try recording("c.jsonl", rejected(), rejected(), rejected("5", "Digits"), other)
        try recording("d.jsonl")
        let code = try recording(
            "e.jsonl",
            rejected().replacing("registration.invalidUserID", with: "registration.invalid")
        )
        let alone = try await replay(shortest)
        let codeAlone = try await replay(code)
        let place = "changed at textFieldDidEndEditing of page register: command: render errorMessage registration"
        try await workplace.expect(
            """
            $ replay \(workplace.folder.path)
            5 recordings: 1 unchanged, 4 changed

            3 \(place).invalidUserID, other value
            \(alone.output.prefix(3).text)

            1 \(place).invalid, now render errorMessage registration.invalidUserID
            \(codeAlone.output.prefix(3).text)
            exit status 1
            """
        )
    }

    @Test(arguments: [
        (
            #""command":"render","key":"userID""#, #""command":"render","key":"id""#,
            "command: render id, now render userID"
        ),
        (
            #""field":"userID""#, #""field":"id""#,
            "response: errors (id registration.invalidUserID), now errors (userID "
                + "registration.invalidUserID)"
        ),
        (#""user":null"#, #""user":{"username":"lisa"}"#, "user: a user, now no user"),
        (
            #""valid":false"#, #""valid":true"#,
            "validation userID: valid registration.invalidUserID, now invalid "
                + "registration.invalidUserID"
        ),
        (
            #""answers":[]"#, #""answers":[{"from":"userIDs","answer":true}]"#,
            "collaborators: 'userIDs' is not called, or less often"
        ),
        (
            #""commands":["#, #""commands":[],"problem":{"code":"unknownEvent"},"x":["#,
            "command: problem unknownEvent, now render userID"
        ),
    ])
    func `the cause names what differs`(text: String, other: String, cause: String) async throws {
        let file = try recording("a.jsonl", rejected().replacing(text, with: other))
        let result = try await replay(file, recording("b.jsonl")).expect(status: 1)
        #expect(result.output[2] == "1 changed at textFieldDidEndEditing of page register: \(cause)")
    }

    // MARK: Not compared, not replayable

    @Test func `a recording with an event that cannot be compared has its own group and exit status`() async throws {
        let file = try recording("a.jsonl", rejected(), abandoned)
        let unchanged = try recording("b.jsonl")
        try await workplace.expect(
            """
            $ replay \(file) \(unchanged)
            2 recordings: 1 unchanged, 1 partly compared

            1 partly compared at logoutButtonPressed of page home: it was cancelled before its end
            \(file): event 2 (logoutButtonPressed) of page home is not compared: it was cancelled before its end
            exit status 2
            """
        )
        try await replay(file, unchanged, recording("c.jsonl", abandoned, rejected("1", "x"))).expect(status: 1)
    }

    @Test func `files that cannot be replayed are groups, and the others are replayed`() async throws {
        try recording("a.jsonl")
        let empty = try workplace.file("b.jsonl", "")
        try workplace.temporary.write("c.jsonl", bytes: (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167) })
        let line = try recording("d.jsonl", "{}", rejected())
        try recording("e.jsonl", rejected(), "{}", rejected())
        let page = try recording("f.jsonl", abandoned.replacing("home", with: "garage"))
        let large = workplace.path("g.jsonl")
        try workplace.temporary.write("g.jsonl", size: 16 << 20 + 1)
        let beginning = #"this is not a recording: its first line does not begin with '{"recording":'"#
        try await workplace.expect(
            """
            $ replay \(workplace.folder.path)
            7 recordings: 1 unchanged, 6 not replayable

            2 not replayable: a line is not a valid line of a recording
            \(line): line 2 is not a valid line of a recording

            2 not replayable: \(beginning)
            \(empty): \(beginning)

            1 not replayable: an event happened on the page 'garage', which is not served
            \(page): event 1 happened on the page 'garage', which is not served

            1 not replayable: the file is larger than 16 MiB, the maximum of a recording
            \(large): the file is larger than 16 MiB, the maximum of a recording
            exit status 2
            """
        )
    }

    @Test func `the complete lines of an incomplete recording are replayed`() async throws {
        let text = [header, rejected(), rejected("1", "x")].text
        let file = try workplace.file("a.jsonl", String(text.dropLast(9)))
        let complete = try recording("b.jsonl")
        try await workplace.expect(
            """
            $ replay \(file) \(complete)
            2 recordings: 2 unchanged
            incomplete last lines, which are not replayed: 1
            """
        )
    }

    // MARK: Files

    @Test func `a folder means the recordings in it and in its subfolders, and each file counts once`() async throws {
        let folder = workplace.path("one/two")
        let first = try recording("a.jsonl")
        try recording("one/two/b.jsonl")
        try workplace.file("one/two/c.json", "")
        #expect(symlink(workplace.folder.path, folder + "/d.jsonl") == 0)
        #expect(symlink("b.jsonl", folder + "/e.jsonl") == 0)
        #expect(symlink("nowhere", folder + "/f.jsonl") == 0)
        #expect(mkfifo(folder + "/g.jsonl", 0o600) == 0)
        try await workplace.expect(
            "$ replay \(workplace.folder.path) \(first) \(workplace.folder.path)/one\n2 recordings: 2 unchanged"
        )
    }

    @Test func `a path that does not exist, or a folder without recordings, is one line of error`() async throws {
        let file = try recording("a.jsonl", rejected("1", "x"))
        let folder = workplace.path("empty")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await workplace.expect(
            """
            $ replay \(file) /nowhere
            error: '/nowhere' cannot be read: No such file or directory.
            exit status 66
            $ replay /nowhere
            error: '/nowhere' cannot be read: No such file or directory.
            exit status 66
            $ replay \(file) \(folder)
            error: The folder '\(folder)' contains no file whose name ends in '.jsonl'.
            exit status 66
            $ replay
            error: …
            exit status 64
            """
        )
    }

    @Test func `pages that cannot be created are one line of error`() async throws {
        let files = try [recording("a.jsonl"), recording("b.jsonl")]
        let application = Application(title: "House", version: "2") { _ in throw CommandError("no key") }
        for count in [1, 2] {
            let result = try await application.run(["replay"] + files.prefix(count))
            result.expect(error: "The pages cannot be created: no key.", status: 70)
        }
    }

    // MARK: The process

    @Test func `standard input is a recording, and without a terminal no progress is printed`() async throws {
        let text = [header, rejected("1", "x"), ""].text
        let result = try await workplace.run("replay", recording("a.jsonl"), "-", input: text)
        result.expect(status: 1, errors: [])
        #expect(result.output.first == "2 recordings: 1 unchanged, 1 changed")
        #expect(result.output[3] == "-: event 1 (textFieldDidEndEditing) of page register, command 2")
    }

    @Test func `on a terminal, progress is shown`() async throws {
        for name in ["a.jsonl", "b.jsonl"] { try recording(name) }
        let command = "'\(Program.executable.path)' replay '\(workplace.folder.path)'"
        let program = try Program(["--quiet", "--command", command, "/dev/null"], running: "/usr/bin/script")
        defer { program.kill() }
        let output = await program.result().output.joined()
        #expect(output.contains("\r0 of 2 recordings\u{1B}[K"))
        #expect(output.contains("2 recordings: 2 unchanged"))
    }

    @Test func `recordings that are replayed at once give the same report each time`() async throws {
        for number in 0..<60 {
            try recording(
                "\(number).jsonl",
                rejected(),
                rejected("1", number % 3 == 0 ? "x" : "A"),
                abandoned
            )
        }
        let first = try await replay(workplace.folder.path)
        let second = try await replay(workplace.folder.path)
        first.expect(status: 1)
        #expect(first.output.first == "60 recordings: 0 unchanged, 60 changed")
        #expect(second.output == first.output)
        #expect(second.errors == [])
    }

    @Test func `no text of a recording controls the terminal, and long texts are cut`() async throws {
        let hostile = #"\u001b]0;b\u0007\u007f\u009b31m\u0085\r\n\u200f\u202e\u2066\u2028"#
        let long = "x".repeated(100_000)
        let event = rejected("1", hostile + long).replacing(#""key":"userID""#, with: #""key":"\#(hostile)""#)
        let page = abandoned.replacing("home", with: hostile)
        let name = abandoned.replacing("logoutButtonPressed", with: hostile).replacing("cancelled", with: "other")
        let files = try [recording("a\u{9B}.jsonl", event), recording("b.jsonl", page), recording("c.jsonl", name)]
        let result = try await workplace.run(["replay"] + files).expect(status: 1)
        for line in result.output {
            #expect(line.escaped == line)
            #expect(line.count < 10_000)
        }
        for file in files {
            let alone = try await replay(file)
            for line in alone.output + alone.errors { #expect(line.escaped == line) }
        }
        #expect(result.output.contains { $0.contains("…") || !$0.contains("xxx") })
        #expect(result.output.joined().contains(#"\u009b31m\u0085"#))
    }
}
