import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ImportTests {
    private let workplace = Workplace()

    private static let hash =
        "$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    @Test func `accounts are imported from a file`() async throws {
        let file = try workplace.file(
            "a.jsonl",
            [
                "\u{FEFF}"
                    + #"{"email":"a@example.com","name":"Wayne, \"Bruce\"","username":"batman","userID":"123456789012","#
                    + #""contactEmail":"c@example.com","password":"\#(Workplace.password)"}"#,
                #"{"email":"b@example.com","name":"","username":null,"passwordHash":"\#(Self.hash)"}"#,
            ].joined(separator: "\r\n")
        )
        try await workplace.expect("$ account import \(file)\nimported 2, rejected 0")
        let json = try await workplace.run("account", "list", "--json").output
        #expect(json.first?.contains(#""email":"b@example.com""#) == true)
        #expect(json.first?.contains(#""name":"b@example.com""#) == true)
        #expect(json.last?.contains(#""contactEmail":"c@example.com""#) == true)
        #expect(json.last?.contains(#""name":"Wayne, \"Bruce\"""#) == true)
        #expect(try await workplace.auditRecords().count == 2)
    }

    @Test func `accounts are imported from standard input`() async throws {
        let lines = """
            {"email":"a@example.com","password":"\(Workplace.password)","name":null}

            {"email":"b@example.com","passwordHash":"\(Self.hash)","name":"B\\u0001"}
            """
        try await workplace.expect("$ account import -\nimported 2, rejected 0", input: lines)
        let json = try await workplace.run("account", "list", "--json").output
        #expect(json.last?.contains(#""name":"B\u0001""#) == true)
    }

    @Test func `a line with U+0000 in a text is rejected`() async throws {
        let accounts = """
            {"email":"a@example.com","passwordHash":"\(Self.hash)"}
            {"email":"b@example.com","passwordHash":"\(Self.hash)","name":"B\\u0000"}
            """
        try await workplace.expect(
            """
            $ account import - --batch 1
            imported 1, rejected 1
            line 2: the value of 'name' contains U+0000
            exit status 1
            """,
            input: accounts
        )
        let product = #"{"name":"Bat\u0000","description":"","image":""}"#
        let products = try await workplace.run("products", "import", "-", input: product)
        #expect(products.errors == ["line 1: the value of 'name' contains U+0000"])
    }

    @Test func `a rejected line is reported, and its batch is left out`() async throws {
        try await workplace.add("taken@example.com", "--user-id", "123456789012")
        let hash = #""passwordHash":"\#(Self.hash)""#
        let file = try workplace.file(
            "a.jsonl",
            """
            {"email":"a@example.com",\(hash)}
            {"email":"b@example.com",\(hash)}
            {"email":"TAKEN@example.com",\(hash)}
            {"email":"c@example.com",\(hash)}
            {"email":"d@example.com","username":"TAKEN@example.com",\(hash)}
            {"email":"e@example.com","userID":"123456789012",\(hash)}
            {"email":"f@example.com",\(hash)}
            {"email":"F@example.com",\(hash)}
            {"email":"nobody",\(hash)}
            {"email":"g@example.com"}
            {"email":"h@example.com","password":"short"}
            {"email":"i@example.com","passwordHash":"$2b$12$x"}
            {"email":"j@example.com","password":"\(Workplace.password)",\(hash)}
            ["k@example.com"]
            """
        )
        try await workplace.expect(
            """
            $ account import \(file) --batch 2
            imported 2, rejected 10, left out 2
            line 3: another account has this email address
            lines 3 to 4: not imported, because a line of this batch was rejected
            line 5: another account has this username
            line 6: another account has this user ID
            line 8: another account has this email address
            lines 7 to 8: not imported, because a line of this batch was rejected
            line 9: 'nobody' is not an email address
            line 10: password or passwordHash is required
            line 11: the password needs at least 15 characters
            line 12: the passwordHash cannot be used: the hash is not of bcrypt, PBKDF2, scrypt, Argon2i or Argon2id in a form that is supported
            line 13: password and passwordHash exclude each other
            line 14: expected a JSON object whose members are strings
            exit status 1
            $ account list
            USERNAME…
            a@example.com…
            b@example.com…
            taken@example.com…
            """
        )
    }

    @Test func `without the policy, any password is accepted that is not too long`() async throws {
        let long = String(repeating: "x", count: 1025)
        let file = try workplace.file(
            "a.jsonl",
            """
            {"email":"a@example.com","password":"a","name":"A"}
            {"email":"b@example.com","password":""}
            {"email":"c@example.com","password":"\(long)"}
            {"email":"d@example.com","password":"d","name":"\(long)"}
            """
        )
        try await workplace.expect(
            """
            $ account import \(file) --no-policy --batch 1
            imported 1, rejected 3
            line 2: …
            line 3: the password has 1025 characters; at most 1024 are allowed
            line 4: the name has 1025 characters; at most 256 are allowed
            exit status 1
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

    @Test func `products are imported, and replace those with the same name`() async throws {
        let lines = try workplace.file("p.jsonl", #"{"name":"Cape","image":"cape.png"}"#)
        let others = try workplace.file(
            "others.jsonl",
            """
            {"name":"Cape","description":"Long"}
            {"name":"","description":"Short"}
            """
        )
        try await workplace.expect(
            """
            $ products import \(lines)
            imported 1, rejected 0
            $ audit export
            {…"event":"productsImported","reason":"1","operator":"…}
            $ products import \(others) --batch 1
            imported 1, rejected 1
            line 2: the name is missing
            exit status 1
            """
        )
    }
}
