import Foundation
import PostgreSQLTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct AccountAdministrationTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// Runs a command, and returns its output and its errors.
    private func lines(_ arguments: String...) async throws -> [String] {
        let result = try await workplace.run(["account"] + arguments)
        return result.output + result.errors
    }

    // MARK: Who has made a change

    @Test func `each change has the name of the operator, escaped, in the audit log`() async throws {
        try await workplace.add()
        var environment = workplace.environment
        for (arguments, user, expected) in [
            (["disable"], nil, nil), (["enable"], "bart", #""bart""#),
            (["disable", "--as", #"Lisa "L" \ é"#], "bart", #""Lisa \"L\" \\ é""#),
            (["enable"], "a\u{1B}[2J", nil),
        ] as [([String], String?, String?)] {

            environment["SUDO_USER"] = user
            let program = try Program(["account"] + arguments + ["bruce@example.com"], environment: environment)
            #expect(await program.result().status == 0)
            let name = expected ?? #""\#(NSUserName())""#
            #expect(try await workplace.auditRecords().last?.contains(#","operator":\#(name)"#) == true)
        }
    }

    @Test(arguments: ["", "a\nb", "a\u{9B}", String(repeating: "a", count: 129)])
    func `an invalid name of an operator is wrong usage, and nothing changes`(name: String) async throws {
        try await workplace.add()
        let result = try await workplace.run("account", "disable", "bruce@example.com", "--as", name)
        #expect(result.status == 64)
        #expect(result.errors.first?.contains("expected a name of 1 to 128 characters") == true)
        #expect(try await workplace.auditRecords().count == 1)
    }

    @Test func `the import of accounts has the name of the operator in the audit log`() async throws {
        let password = #""password":"\#(Workplace.password)""#
        let file = try workplace.file(
            "a.jsonl",
            """
            {"email":"a@example.com",\(password),"note":"Was a customer before","roles":"support admin"}
            {"email":"b@example.com",\(password),"roles":"a/b"}
            """
        )
        let result = try await workplace.run("account", "import", "--batch", "1", "--as", "Marge", file)
        #expect(result.errors.first?.hasPrefix("line 2: 'a/b' cannot be a role: ") == true)
        let records = try await workplace.auditRecords()
        #expect(records.count == 1)
        #expect(records.first?.contains(#""event":"accountAdded""#) == true)
        #expect(records.first?.contains(#","operator":"Marge""#) == true)
        let shown = try await workplace.run("account", "show", "a@example.com", "--json").output.joined()
        #expect(shown.contains(#""note":"Was a customer before""#))
        #expect(shown.contains(#""roles":["admin","support"]"#))
    }

    // MARK: Finding accounts

    @Test
    func `accounts are found by a part of the username, the address or the ID, in any case and without wildcards`()
        async throws
    {
        for (email, username) in [("a_b@example.com", "Zoë"), ("axb@example.com", "100%"), ("c@example.org", "c'--")] {
            try await workplace.add(email, "--username", username)
        }
        func found(_ text: String, _ more: String...) async throws -> [String] {
            let result = try await workplace.run(["account", "list", "--search", text] + more)
            return result.output.dropFirst().map { String($0.prefix { $0 != " " }) }
        }
        #expect(try await found("ZO\u{CB}") == ["Zoë"])
        #expect(try await found("A_B@") == ["Zoë"])
        #expect(try await found("%") == ["100%"])
        #expect(try await found("'--") == ["c'--"])
        #expect(try await found("EXAMPLE.COM") == ["100%", "Zoë"])
        #expect(try await found("nothing") == [])
        #expect(try await found("") == ["100%", "c'--", "Zoë"])
        #expect(try await found(String(repeating: "a", count: 100_000)) == [])
        let json = try await workplace.run("account", "show", "zoë", "--json").output.joined()
        let id = try #require(json.firstMatch(of: /"id":"([-0-9a-f]+)"/)?.1)
        #expect(try await found(String(id.dropFirst(3).prefix(12)).uppercased()) == ["Zoë"])
    }

    @Test func `accounts are found in PostgreSQL, and get other names, notes and roles`() async throws {
        let cluster = try Cluster()
        let place = ["--database", cluster.uri]
        let file = try workplace.file(
            "many.jsonl",
            (1000..<1002).map { #"{"email":"u\#($0)_x@example.com","password":"\#(Workplace.password)"}"# }
                .joined(separator: "\n")
        )
        #expect(try await workplace.run(["account", "import", file] + place).output == ["imported 2, rejected 0"])
        for (text, count) in [("1000_X@", 1), ("U100", 2), ("%", 0)] {
            #expect(try await workplace.run(["account", "list", "--search", text] + place).output.count == 1 + count)
        }
        let user = "u1000_x@example.com"
        for arguments in [
            ["rename", user, "Ada"], ["set-email", "ada", "ada@example.com"], ["note", "ada", "é"],
            ["roles", "add", "ada", "x"],
        ] {
            #expect(try await workplace.run(["account"] + arguments + place).status == 0)
        }
        let shown = try await workplace.run(["account", "show", "ada"] + place).output
        for line in ["username:      Ada", "email:         ada@example.com", "roles:         x", "note:          é"] {
            #expect(shown.contains(line))
        }
    }

    // MARK: Changes

    @Test func `an account gets another name and another address`() async throws {
        try await workplace.add("a@example.com")
        try await workplace.add("b@example.com", "--username", "b")
        #expect(try await lines("rename", "b", "Bruce") == ["Renamed the account 'b' to 'Bruce'."])
        #expect(try await lines("rename", "bruce", "Bruce") == ["The account 'Bruce' already has this name."])
        #expect(try await lines("rename", "bruce", "A@example.com") == ["error: another account has this username"])
        #expect(try await lines("rename", "bruce", "") == ["error: the username is empty"])
        #expect(
            try await lines("set-email", "a@example.com", "new@example.com")
                == ["Changed the email address of the account 'a@example.com' to 'new@example.com'."]
        )
        #expect(try await lines("show", "new@example.com").first == "username:      new@example.com")
        #expect(
            try await lines("set-email", "bruce", "NEW@example.com") == [
                "error: another account has this email address"
            ]
        )
        #expect(try await lines("set-email", "bruce", "x") == ["error: 'x' is not an email address"])
        #expect(
            try await lines("set-email", "bruce", "b@example.com") == [
                "The account 'Bruce' already has this email address."
            ]
        )
        let long = String(repeating: "a", count: 255)
        #expect(try await lines("rename", "bruce", long).first?.contains("at most 254 are allowed") == true)
        #expect(try await lines("set-email", "bruce", long + "@example.com").first?.contains("at most 254") == true)
    }

    @Test func `support notes something about an account`() async throws {
        try await workplace.add()
        let name = "bruce@example.com"
        #expect(try await lines("note", name) == ["note: There is no note about the account '\(name)'."])
        #expect(
            try await lines("note", name, "Called\u{9B} on Monday") == ["Changed the note about the account '\(name)'."]
        )
        #expect(try await lines("note", name) == ["Called\u{FFFD} on Monday"])
        #expect(try await lines("show", name).last == "note:          Called\u{FFFD} on Monday")
        #expect(
            try await lines("note", name, String(repeating: "x", count: 1001))
                == ["error: the note has 1001 characters; at most 1000 are allowed"]
        )
        #expect(try await lines("note", name, "") == ["Removed the note about the account '\(name)'."])
        #expect(try await lines("note", name, "") == ["The note about the account '\(name)' stays as it was."])
        #expect(try await workplace.auditRecords().count == 3)
    }

    @Test func `roles are given and taken away`() async throws {
        try await workplace.add()
        let name = "bruce@example.com"
        #expect(try await lines("roles", "list", name) == [])
        #expect(
            try await lines("roles", "add", name, "support", "admin")
                == ["The account '\(name)' now has the roles admin, support."]
        )
        #expect(try await lines("roles", "list", name) == ["admin", "support"])
        #expect(try await lines("roles", "list", name, "--json") == [#"["admin","support"]"#])
        #expect(
            try await lines("roles", "remove", name, "nothing") == [
                "The account '\(name)' already has the roles admin, support."
            ]
        )
        #expect(
            try await lines("roles", "remove", name, "admin") == ["The account '\(name)' now has the roles support."]
        )
        #expect(try await lines("roles", "remove", name, "--all") == ["The account '\(name)' now has no roles."])
        #expect(
            try await lines("roles", "add", name, "a b").first?.hasPrefix("error: 'a b' cannot be a role: ") == true
        )
        #expect(try await workplace.run("account", "roles", "remove", name).status == 64)
        let reasons = try await workplace.auditRecords().compactMap { $0.firstMatch(of: /"reason":"(roles=[^"]*)"/)?.1 }
        #expect(reasons == ["roles=admin,support", "roles=support", "roles="])
    }
}
