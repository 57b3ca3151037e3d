import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct AccountCommandTests {
    // MARK: add

    @Test func `an added account can be shown, without its password`() async throws {
        let workplace = try Workplace()
        let added = try await workplace.add("bruce@example.com", "--username", "batman", "--user-id", "123456789012")
        added.expect(status: 0, output: ["Added the account 'batman'."], errors: [])
        for name in ["batman", "BATMAN", "Bruce@example.com"] {
            let shown = try await workplace.run("account", "show", name)
            #expect(shown.status == 0)
            #expect(shown.output.contains("email:         bruce@example.com"))
            #expect(shown.output.contains("user ID:       123456789012"))
            #expect(shown.output.contains("state:         active"))
            #expect(shown.output.contains("password:      argon2id m=8,t=1"))
        }
        let json = try await workplace.run("account", "show", "batman", "--json").output.joined()
        let id = try #require(json.firstMatch(of: /"id":"([-0-9a-f]+)"/)?.1)
        #expect(try await workplace.run("account", "show", String(id), "--json").output == [json])
        for text in [json, try await workplace.auditRecords().joined()] {
            #expect(!text.contains(Workplace.password))
            #expect(!text.contains("$argon2id"))
        }
        let record = try await workplace.auditRecords().joined()
        #expect(record.contains(#""event":"accountAdded","account":"\#(id)","operator":""#))
    }

    @Test(arguments: [
        (["--email", "bruce@example", "--name", "B"], Workplace.password, "'bruce@example' is not an email address"),
        (["--email", "b@example.com", "--name", ""], Workplace.password, "the name is empty"),
        (
            ["--email", "b@example.com", "--name", "B", "--user-id", "1"], Workplace.password,
            "the user ID must have exactly twelve digits"
        ),
        (
            ["--email", "b@example.com", "--name", String(repeating: "é", count: 257)], Workplace.password,
            "the name has 257 characters; at most 256 are allowed"
        ),
        (
            ["--email", "b@example.com", "--name", "B", "--username", String(repeating: "u", count: 255)],
            Workplace.password, "the username has 255 characters; at most 254 are allowed"
        ),
        (
            ["--email", String(repeating: "b", count: 255) + "@example.com", "--name", "B"], Workplace.password,
            "the email address has 267 bytes; at most 254 are allowed"
        ),
        (
            ["--email", "b@example.com", "--name", "B"], String(repeating: "long", count: 257),
            "the password has 1028 characters; at most 1024 are allowed"
        ),
        (["--email", "b@example.com", "--name", "B"], "short", "the password needs at least 15 characters"),
        (
            ["--email", "b@example.com", "--name", "B", "--password-min", "8"], "password1",
            "the password is one that many people use"
        ),
        (
            ["--email", "bruce.wayne@example.com", "--name", "B"], "bruce.wayne@example.com",
            "the password must not be your name, email address or user ID"
        ),
    ])
    func `the rules of sign-up apply`(arguments: [String], password: String, error: String) async throws {
        let workplace = try Workplace()
        let result = try await Program.run(
            ["account", "add"] + arguments,
            environment: workplace.environment,
            input: password + "\n"
        )
        result.expect(status: 1, output: [], errors: ["error: \(error)"])
    }

    @Test func `a conflict with another account is named`() async throws {
        let workplace = try Workplace()
        try await workplace.add("a@example.com", "--username", "a", "--user-id", "123456789012")
        for (arguments, what) in [
            (["A@example.com", "--username", "b"], "email address"),
            (["b@example.com", "--username", "A"], "username"),
            (["b@example.com", "--user-id", "123456789012"], "user ID"),
        ] {
            let result = try await Program.run(
                ["account", "add", "--name", "B", "--email"] + arguments,
                environment: workplace.environment,
                input: Workplace.password
            )
            result.expect(status: 1, errors: ["error: another account has this \(what)"])
        }
    }

    // MARK: list

    @Test func `accounts are listed in the order of their usernames`() async throws {
        let workplace = try Workplace()
        try await workplace.add("c@example.com")
        try await workplace.add("b@example.com", "--username", "Ba\u{1B}[2Jt")
        _ = try await workplace.run("account", "disable", "c@example.com")
        let list = try await workplace.run("account", "list")
        #expect(list.status == 0)
        #expect(list.output.count == 3)
        #expect(list.output.first == "USERNAME       NAME         CREATED               STATE")
        #expect(list.output[1].hasPrefix("Ba\u{FFFD}[2Jt        Bruce Wayne  20"))
        #expect(list.output[1].hasSuffix("Z  active"))
        #expect(list.output[2].hasPrefix("c@example.com  Bruce Wayne  20"))
        #expect(list.output[2].hasSuffix("Z  disabled"))
        let json = try await workplace.run("account", "list", "--json").output
        #expect(json.count == 2)
        #expect(json.first?.contains(#""username":"Ba\u001b[2Jt""#) == true)
        #expect(json.last?.contains(#""disabled":true"#) == true)
        #expect(!json.joined().contains("$argon2id"))
    }

    @Test func `a name cannot control a terminal, in JSON or in lines`() async throws {
        let workplace = try Workplace()
        let added = try await workplace.add(
            "b@example.com",
            "--username",
            "b\u{9B}31m",
            "--name",
            "B\u{7F}\u{9B}2J\u{202E}\u{200F}ü"
        )
        #expect(added.output == ["Added the account 'b\u{FFFD}31m'."])
        for arguments in [["show", "b@example.com"], ["list"]] {
            let json = try await workplace.run(["account"] + arguments + ["--json"]).output.joined()
            #expect(json.contains(#""username":"b\u009b31m""#))
            #expect(json.contains(#""name":"B\u007f\u009b2J\u202e\u200fü""#))
            let text = try await workplace.run(["account"] + arguments).output.joined()
            #expect(text.contains("b\u{FFFD}31m"))
            #expect(text.contains("B\u{FFFD}\u{FFFD}2J\u{FFFD}\u{FFFD}ü"))
            #expect(!text.contains("\u{9B}"))
        }
        let missing = try await workplace.run("account", "show", "\u{9B}2J")
        #expect(missing.errors == [#"error: There is no account '\u009b2J'."#])
    }

    @Test func `all accounts are listed, even if there are more than are in memory at the same time`() async throws {
        let workplace = try Workplace()
        let hash = "$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        let lines = (1000..<2001).map { #"{"email":"u\#($0)@example.com","passwordHash":"\#(hash)"}"# }
        let file = try workplace.file("many.jsonl", lines.joined(separator: "\n"))
        let imported = try await workplace.run("account", "import", file)
        #expect(imported.output == ["imported 1001, rejected 0"])
        let list = try await workplace.run("account", "list").output.dropFirst()
        #expect(list.map { $0.prefix { $0 != " " } } == (1000..<2001).map { "u\($0)@example.com" })
    }

    // MARK: Changes

    @Test func `a command that changes nothing prints this, and succeeds`() async throws {
        let workplace = try Workplace()
        try await workplace.add()
        for (command, output) in [
            ("disable", "Disabled the account 'bruce@example.com'."),
            ("disable", "The account 'bruce@example.com' is already disabled."),
            ("enable", "Enabled the account 'bruce@example.com'."),
            ("enable", "The account 'bruce@example.com' is already enabled."),
            ("unlock", "The account 'bruce@example.com' has no failed logins."),
        ] {
            let result = try await workplace.run("account", command, "bruce@example.com")
            result.expect(status: 0, output: [output], errors: [])
        }
        let audit = try await workplace.auditRecords()
        #expect(audit.count == 3)
        #expect(audit[1].contains(#""reason":"disabled","#))
        #expect(audit[2].contains(#""reason":"enabled","#))
    }

    @Test func `an account is deleted only after confirmation`() async throws {
        let workplace = try Workplace()
        try await workplace.add()
        let refused = try await workplace.run("account", "delete", "bruce@example.com")
        #expect(refused.status == 64)
        refused.expect(errors: [
            "error: Standard input is not a terminal, so that the command cannot ask: add '--yes' to delete the account."
        ])
        let deleted = try await workplace.run("account", "delete", "bruce@example.com", "--yes")
        #expect(deleted.output == ["Deleted the account 'bruce@example.com'."])
        let again = try await workplace.run("account", "delete", "bruce@example.com", "--yes")
        #expect(again.status == 1)
        #expect(again.errors == ["error: There is no account 'bruce@example.com'."])
        #expect(try await workplace.auditRecords().last?.contains(#""event":"accountDeleted""#) == true)
    }

    @Test(arguments: [("y", 0), ("n", 1), ("", 1)] as [(String, Int32)])
    func `delete asks for confirmation on a terminal`(answer: String, status: Int32) async throws {
        let workplace = try Workplace()
        try await workplace.add()
        let terminal = try PseudoTerminal()
        try terminal.type(answer)
        let result = try await Program.run(
            ["account", "delete", "bruce@example.com"],
            environment: workplace.environment,
            terminal: terminal.terminal
        )
        #expect(result.status == status)
        #expect(result.errors.first?.hasPrefix("Delete the account 'bruce@example.com' permanently? [y/N] ") == true)
        #expect(try await workplace.run("account", "show", "bruce@example.com").status == 1 - status)
    }

    // MARK: Mistakes

    @Test(arguments: ["show", "disable", "enable", "unlock", "set-password", "delete"])
    func `an unknown account is one line of error`(command: String) async throws {
        let workplace = try Workplace()
        try await workplace.add()
        let result = try await Program.run(
            ["account", command, "x"] + (command == "delete" ? ["--yes"] : []),
            environment: workplace.environment,
            input: Workplace.password
        )
        result.expect(status: 1, output: [], errors: ["error: There is no account 'x'."])
    }

    @Test(arguments: ["list", "show x", "disable x", "delete x --yes"])
    func `a missing database is an error, and is not created`(command: String) async throws {
        let workplace = try Workplace()
        let result = try await Program.run(
            ["account"] + command.split(separator: " ").map(String.init),
            environment: workplace.environment
        )
        #expect(result.status == 1)
        result.expect(errors: [
            "error: There is no database '\(workplace.folder.path)/understudy.sqlite': "
                + "name it with '--database' or '--data'."
        ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: workplace.folder.path) == [])
    }
}
