@Suite(.fiveMinutes) struct ImportTests {
    let workplace = Workplace()

    @Test func `accounts are imported from a file`() async throws {
        let file = try workplace.file(
            "a.jsonl",
            [
                "\u{FEFF}"
                    + #"{"email":"a@example.com","name":"Wayne, \"Bruce\"","username":"batman","userID":"123456789012","#
                    + #""contactEmail":"c@example.com","password":"\#(Workplace.password)"}"#,
                #"{"email":"b@example.com","name":"","username":null,"passwordHash":"\#(Workplace.hash)"}"#,
            ].joined(separator: "\r\n")
        )
        try await workplace.expect("$ account import \(file)\nimported 2, rejected 0")
        let json = try await workplace.run("account list --json").output
        #expect(json.first?.contains(#""email":"b@example.com""#) == true)
        #expect(json.first?.contains(#""name":"b@example.com""#) == true)
        #expect(json.last?.contains(#""contactEmail":"c@example.com""#) == true)
        #expect(json.last?.contains(#""name":"Wayne, \"Bruce\"""#) == true)
        #expect(try await workplace.auditRecords().count == 2)
    }

    @Test func `each line is a record, is empty or is rejected`() async throws {
        let expected = "expected a JSON object whose members are strings"
        let lines: [(text: String, reason: String?)] = [
            ("\u{FEFF}{\"name\":\"A\",\"image\":null}\r", nil), ("", nil), (" \t\r", nil), (#"{ "name" : "B" }"#, nil),
            ("[]", expected), (#"{"name":1}"#, expected),
            (#"{"name":"C""#, "\(expected), but the text ends too early"),
            (#"{"name":"C","name":"D"}"#, "\(expected), but the member 'name' occurs twice"),
            (#"{"price":"1"}"#, "unknown member 'price'; the members may be name, description, image"),
            (#"{"name":"C\u0000"}"#, "the value of 'name' contains U+0000"), (#"{"name":""}"#, "the name is missing"),
            (#"{"name":"\#(" ".repeated(1 << 20))"}"#, "the record is longer than 1 MiB"),
            (#"{"name":"\#u{E9}"}"#, "the text is not UTF-8"),
        ]
        // é is one byte, 0xE9, that is not UTF-8.
        let bytes = lines.map(\.text).text.unicodeScalars.flatMap { $0 == "\u{E9}" ? [0xE9] : String($0).bytes }
        try workplace.temporary.write("lines.jsonl", bytes: bytes)
        let result = try await workplace.run("products import", workplace.path("lines.jsonl"))
        let errors = lines.enumerated().compactMap { index, line in
            line.reason.map { "line \(index + 1): \($0)" }
        }
        result.expect(status: 1, output: ["imported 2, rejected \(errors.count)"], errors: errors)
    }

    @Test func `rejected lines are reported, and the others are imported`() async throws {
        try await workplace.add("taken@example.com", "--user-id", "123456789012")
        let hash = #""passwordHash":"\#(Workplace.hash)""#
        let file = try workplace.file(
            "a.jsonl",
            """
            {"email":"a@example.com",\(hash)}
            {"email":"TAKEN@example.com",\(hash)}
            {"email":"b@example.com","username":"TAKEN@example.com",\(hash)}
            {"email":"c@example.com","userID":"123456789012",\(hash)}
            {"email":"d@example.com",\(hash)}
            {"email":"D@example.com",\(hash)}
            {"email":"nobody",\(hash)}
            {"email":"e@example.com",\(hash),"disabled":"1"}
            {"email":"f@example.com","password":"short"}
            {"email":"g@example.com","passwordHash":"$2b$12$x"}
            {"email":"h@example.com","password":"\(Workplace.password)",\(hash)}
            """
        )
        try await workplace.run("account import", file).expect(
            status: 1,
            output: ["imported 2, rejected 9"],
            errors: [
                "line 7: 'nobody' is not an email address",
                "line 8: disabled must be true or false, not '1'",
                "line 9: the password needs at least 15 characters",
                "line 10: the passwordHash cannot be used: the hash is not of bcrypt, PBKDF2, Argon2i or Argon2id in a form that is supported",
                "line 11: password and passwordHash exclude each other",
                "line 2: another account has this email address",
                "line 3: another account has this username",
                "line 4: another account has this user ID",
                "line 6: another account has this email address",
            ]
        )
        try await workplace.expect(
            """
            $ account list
            USERNAME…
            a@example.com…
            d@example.com…
            taken@example.com…
            """
        )
    }

    @Test(arguments: ["name,image\nCape,cape.png\n", "\u{FEFF}name\n", "\"name\"\n", #"[{"name":"Cape"}]"#])
    func `a file that is not JSON Lines, such as a CSV file, is one line of error`(text: String) async throws {
        let file = try workplace.file("a.csv", text)
        try await workplace.expect(
            """
            $ products import \(file)
            error: '\(file)' does not begin with '{'; expected JSON Lines, with an object on each line. \
            The section 'Import accounts and products' of docs/accounts.md shows how to convert a CSV file.
            """
        )
    }

    @Test func `a file that cannot be read is one line of error`() async throws {
        try await workplace.expect(
            """
            $ products import /no/such
            error: The file '/no/such' cannot be read: No such file or directory.
            $ products import /tmp
            error: '/tmp' is a folder; a file is expected.
            """
        )
    }

    @Test func `an import of products is recorded with their number`() async throws {
        let lines = try workplace.file("p.jsonl", #"{"name":"Cape","image":"cape.png"}"#)
        try await workplace.expect(
            """
            $ products import \(lines)
            imported 1, rejected 0
            $ audit export
            {…"event":"productsImported","reason":"1","operator":"…}
            """
        )
    }
}
