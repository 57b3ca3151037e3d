import UnderstudyReplay

@Suite(.fiveMinutes) struct CompareCommandTests {
    let workplace = Workplace()

    /// Runs the command in its own process, because it compares the program of the process.
    func compare(_ old: String = Program.executable.path, options: String = "") async throws -> Program.Result {
        try await Program.run(["compare", old] + options.words, environment: workplace.environment)
    }

    /// A program that gives what this one gives, changed by sed.
    func program(_ script: String = "") throws -> String {
        try executable("#!/bin/sh\n'\(Program.executable.path)' \"$@\" | sed -u '\(script)'\n")
    }

    func executable(_ text: String) throws -> String {
        let path = try workplace.file("old", text)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    let otherID = #"s/"key":"userID","value":"\([0-9]\)/"key":"userID","value":"9\1/"#

    // MARK: Result

    @Test func `a program is equal to itself`() async throws {
        let result = try await compare(options: "--page home --page register").expect(status: 0, errors: [])
        #expect(result.output.count == 2)
        #expect(result.output.allSatisfy { $0.contains(": EQUAL for ") && $0.hasSuffix("pairs of states, closed") })
    }

    @Test func `a difference is shown with its events and both responses`() async throws {
        let result = try await compare(program(otherID), options: "--page register").expect(status: 1)
        // Found first, then counted.
        #expect(result.output.first == "register: DIFFERENT in textFieldDidEndEditing, command 1")
        #expect(
            result.output.dropFirst().prefix(4) == [
                #"    1. register textFieldDidEndEditing {"userID":"012345 678912"}"#,
                #"    old: {"command":"render","key":"userID","value":"9012345678912"}"#,
                #"    new: {"command":"render","key":"userID","value":"012345678912"}"#,
                "",
            ]
        )
        #expect(result.output.contains { $0.hasPrefix("register: DIFFERENT after 1 event (1 event × ") })
        let cause = "  textFieldDidEndEditing, command: render userID, other value ("
        #expect(result.output.contains { $0.hasPrefix(cause) && $0.hasSuffix(" times)") })
    }

    @Test func `a page that shows nothing without a user is compared with one`() async throws {
        let old = try program(#"s/"command":"render","key":"username"/"command":"render","key":"user"/"#)
        let changed = try await compare(old, options: "--page home").expect(status: 1)
        #expect(changed.output.contains(#"    0. {"username":"lisa@rules.example","id":"1"} is logged in"#))
    }

    @Test func `an outcome that was not reached has the status of what was not tried, unless accepted`() async throws {
        let options = "--page secondFactor --accept \(workplace.path("accepted.json"))"
        // A reason alone does not accept it.
        let reason = options + " --reason 'They need a login'"
        let result = try await compare(options: reason).expect(status: 2)
        #expect(result.output.first?.hasPrefix("secondFactor: no difference to depth ") == true)
        #expect(result.output.contains("  not reached: passkeyRequested: render passkeyRequest"))
        try await compare(options: reason + " --accept-unreached").expect(status: 0)
        let reading = try await compare(options: options).expect(status: 0)
        #expect(reading.output.first?.hasPrefix("secondFactor: EQUAL for ") == true)
        #expect(reading.output.last == "Accepted outcomes that were not reached: 8.")
    }

    @Test func `what was not tried has an exit status of its own`() async throws {
        let result = try await compare(options: "--page register --pairs 1").expect(status: 2)
        #expect(result.output.first?.contains("register: no difference to depth 0, NOT closed: ") == true)
        #expect(result.output.contains { $0.hasSuffix(" pairs of states beyond the limit: raise --pairs") })
    }

    @Test(arguments: [
        "exit 3",
        // More than the limit on memory, of which nothing is used.
        "dd if=/dev/zero of=/dev/null bs=3G count=1 2>/dev/null || exit 3",
    ])
    func `a program that ends in an event, by itself or for lack of memory, differs`(command: String) async throws {
        // The status of the loop is that of the script.
        let script = """
            #!/bin/bash
            set -o pipefail
            while read -r line; do
                case $line in *4567*) \(command) ;; esac
                printf '%s\\n' "$line"
            done | '\(Program.executable.path)' step
            """
        let result = try await compare(executable(script), options: "--page register --pairs 1").expect(status: 1)
        let text = result.output.text
        #expect(text.contains(#"old: failure {"code":"programStopped","reason":"it ended with status 3"}"#))
    }

    @Test func `the report is a JSON object`() async throws {
        let result = try await compare(program(otherID), options: "--page register --json").expect(status: 1)
        let page = try page(of: result)
        #expect(page["result"] == "different")
        #expect(page["unreached"] == [])
        let difference = page["differences"]?.array?.first
        #expect(difference?["group"] == 0)
        #expect(difference?["steps"]?.array?.first?["event"] == "textFieldDidEndEditing")
    }

    // MARK: Inputs

    @Test func `lines of a file are further inputs`() async throws {
        let lines = try workplace.file(
            "more.jsonl",
            #"{"page":"register","event":"textFieldDidEndEditing","values":{"userID":"０１２"}}"# + "\n"
        )
        let options = "--page register --json --pairs 1"
        let inputs = try page(of: await compare(options: options))["inputs"]?.integer
        let more = try page(of: await compare(options: "\(options) --add \(lines)"))["inputs"]?.integer
        #expect(try #require(inputs) + 1 == more)
    }

    @Test(arguments: [
        (#""page":"regster","event":"textFieldDidEndEditing","values":{}"#, "has the page 'regster'"),
        (#""page":"register","event":"txtFieldDidEndEditing","values":{}"#, "has no 'event', or one"),
        (#""page":"register","values":{}"#, "has no 'event', or one"),
        (#""page":"register","event":"textFieldDidEndEditing","value":{}"#, "has no object 'values'"),
    ])
    func `a line that no program would get is an error`(line: String, reason: String) async throws {
        let lines = try workplace.file("more.jsonl", "\n{\(line)}\n")
        let result = try await compare(options: "--page register --add \(lines)")
        result.expect(status: 66, errors: ["…Line 2 of the file '\(lines)' \(reason)…"])
    }

    /// The first page in a report.
    func page(of result: Program.Result) throws -> Value {
        try #require(JSONReader.read(result.output.joined().bytes)["pages"]?.array?.first)
    }

    // MARK: Accepted differences

    @Test func `accepted differences do not count, and others do`() async throws {
        let accepted = workplace.path("accepted.json")
        let old = try program(otherID)
        let options = "--page register --accept \(accepted)"
        try await compare(old, options: options).expect(status: 1)
        try await compare(old, options: options + " --reason 'IDs have a prefix no more'").expect(status: 0)
        let reading = try await compare(old, options: options).expect(status: 0)
        #expect(reading.output.last == "Accepted differences: 1. What follows such an event was not compared.")
        #expect(try workplace.text("accepted.json").contains(#""reason" : "IDs have a prefix no more""#))
        _ = try program(otherID + ";s/exactly twelve/twelve/g")
        try await compare(old, options: options).expect(status: 1)
    }

    // MARK: Errors

    @Test func `a file that is no program, or has no events or no accepted differences, is an error`() async throws {
        let (empty, other) = (try workplace.file("more.jsonl", "\n"), try workplace.file("accepted.json", "{}"))
        for (arguments, error) in [
            ("/no/such/program", "'/no/such/program' is not an executable file."),
            (".", "'.' is not an executable file."), (". --add \(empty)", "The file '\(empty)' has no events."),
            (". --accept \(other)", "…accepted.json' cannot be read, or is not a file that…"),
        ] { try await workplace.expect("$ compare \(arguments)\nerror: \(error)\nexit status 66") }
    }

    @Test func `a program that is no program of Understudy is an error`() async throws {
        try await compare("/bin/true").expect(status: 70, errors: ["…the old program does not describe its pages…"])
        try await compare(executable("#!/bin/sh\ncat\n")).expect(status: 70)
    }

    @Test func `wrong usage is an error with its reason`() async throws {
        for (options, reason) in [
            ("--reason x", "'--reason' needs '--accept FILE'."), ("--seconds 0", "--seconds"), ("--pairs 0", "--pairs"),
            ("--accept-unreached", "'--accept-unreached' needs '--reason'."),
        ] { try await workplace.expect("$ compare . \(options)\nerror: …\(reason)…\nexit status 64") }
        try await compare(options: "--page garage").expect(error: "There is no page 'garage'.…", status: 64)
    }
}
