import Foundation
import Glibc
import HTTPTestClient
import Testing

/// What an operator does to accounts, by the program itself.
@Suite(.timeLimit(.minutes(2))) struct AccountCommandTests {
    private static let password = "eighteen-long-words"
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("account-\(UUID().uuidString)")

    /// Runs `understudy` on the folder's database, hashing cheaply.
    private func understudy(_ arguments: String..., input: String = "") async throws -> Program.Result {
        let hashing = ["add", "set-password", "import"].contains { arguments.contains($0) && arguments[0] == "account" }
        let cheap = hashing ? ["--hash-memory", "64KiB", "--hash-iterations", "1"] : []
        let program = try Program(arguments + cheap, environment: ["UNDERSTUDY_DATA": folder.path], input: input)
        defer { program.kill() }
        return await program.result()
    }

    private func addLisa() async throws {
        let added = try await understudy(
            "account",
            "add",
            "--email",
            "lisa@rules.example",
            "--name",
            "Lisa",
            input: Self.password + "\n"
        )
        #expect(added.errors == [])
        #expect(added.status == 0)
    }

    private func expect(_ result: Program.Result, _ output: [String], errors: [String] = [], status: Int32 = 0) {
        #expect(result.output == output)
        #expect(result.errors == errors)
        #expect(result.status == status)
    }

    @Test func `an account is added, shown, and never with its hash`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await addLisa()
        let list = try await understudy("account", "list")
        #expect(list.output.count == 2)
        #expect(list.output.first?.hasPrefix("USERNAME") == true)
        #expect(list.output.last?.hasPrefix("lisa@rules.example  Lisa") == true)
        let shown = try await understudy("account", "show", "LISA@rules.example", "--json")
        let object = try JSONSerialization.jsonObject(with: Data((shown.output.first ?? "").utf8)) as? [String: Any]
        #expect(object?["email"] as? String == "lisa@rules.example")
        #expect(object?["password"] as? String == "argon2id m=64,t=1")
        #expect(object?["disabled"] as? Bool == false)
        #expect(!(shown.output + list.output).joined().contains("$argon2id$"))
    }

    @Test func `what another account has is named, and so is what will not do`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await addLisa()
        let cases: [([String], String, String)] = [
            (["--email", "Lisa@RULES.example"], Self.password, "error: another account has this email address"),
            (
                ["--email", "b@rules.example", "--username", "lisa@rules.example"], Self.password,
                "error: another account has this username"
            ),
            (["--email", "nobody"], Self.password, "error: 'nobody' is not an email address"),
            (["--email", "b@rules.example"], "short", "error: the password needs at least 15 characters"),
        ]
        for (arguments, password, error) in cases {
            let program = try Program(
                ["account", "add", "--name", "B"] + arguments,
                environment: ["UNDERSTUDY_DATA": folder.path],
                input: password
            )
            defer { program.kill() }
            expect(await program.result(), [], errors: [error], status: 1)
        }
        #expect(try await understudy("account", "list").output.count == 2)
    }

    @Test func `an account that there is not is one line of error`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await addLisa()
        for command in ["show", "disable", "enable", "unlock"] {
            expect(
                try await understudy("account", command, "bart"),
                [],
                errors: ["error: There is no account 'bart'."],
                status: 1
            )
        }
    }

    @Test func `what has been done already is said and is no error`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await addLisa()
        let name = "lisa@rules.example"
        expect(try await understudy("account", "disable", name), ["Disabled the account '\(name)'."])
        expect(try await understudy("account", "disable", name), ["The account '\(name)' is disabled already."])
        expect(try await understudy("account", "enable", name), ["Enabled the account '\(name)'."])
        expect(try await understudy("account", "unlock", name), ["The account '\(name)' has no failed logins."])
    }

    @Test func `nothing is deleted without a word`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await addLisa()
        let refused = try await understudy("account", "delete", "lisa@rules.example")
        #expect(refused.status == 64)
        #expect(refused.errors.count == 1)
        #expect(try await understudy("account", "list").output.count == 2)
        #expect(try await understudy("account", "delete", "--yes", "lisa@rules.example").status == 0)
        #expect(try await understudy("account", "show", "lisa@rules.example").status == 1)
    }

    @Test(arguments: [
        ["account", "disable"], ["account", "set-password"], ["account", "delete", "--yes"],
    ]) func `who is logged in to a running server has to log in again`(command: [String]) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await addLisa()
        let server = try Program(["serve", "--port", "0"], environment: ["UNDERSTUDY_DATA": folder.path])
        defer { server.kill() }
        let line = try #require(await server.output.next(containing: "Listening on "))
        let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
        let client = try await HTTPTestClient(port: port)
        let login = try await client.request(
            "POST",
            "/login",
            headers: ["Host": "a", "Content-Type": "application/x-www-form-urlencoded"],
            body: Array("username=lisa@rules.example&password=\(Self.password)".utf8)
        )
        let cookie = String(try #require(login.header("Set-Cookie")?.prefix { $0 != ";" }))
        func isLoggedIn() async throws -> Bool {
            try await client.request("GET", "/session", headers: ["Host": "a", "Cookie": cookie]).status == 200
        }
        #expect(try await isLoggedIn())

        let operation = try Program(
            command + ["lisa@rules.example"],
            environment: ["UNDERSTUDY_DATA": folder.path],
            input: "nineteen-long-words\n"
        )
        defer { operation.kill() }
        #expect(await operation.result().status == 0)
        for _ in 0..<100 where try await isLoggedIn() { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await !isLoggedIn())
    }

    @Test func `an import takes a batch whole or not at all, and says which lines were refused`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let csv = """
            email,name,password
            a@rules.example,A,eighteen-long-words
            bad,B,eighteen-long-words
            "c@rules.example","C, ""D""
            and E",eighteen-long-words

            """
        let whole = try await understudy("account", "import", "--format", "csv", "-", input: csv)
        #expect(whole.status == 1)
        #expect(whole.output == ["imported 0, refused 1, left out 2"])
        #expect(whole.errors.first == "line 3: 'bad' is not an email address")
        #expect(try await understudy("account", "list", "--json").output == [])

        let single = try await understudy("account", "import", "--batch", "1", "--format", "csv", "-", input: csv)
        #expect(single.status == 1)
        #expect(single.output == ["imported 2, refused 1"])
        let names = try await understudy("account", "list", "--json").output.map { line in
            (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["name"] as? String
        }
        #expect(names == ["A", "C, \"D\"\nand E"])

        let lines = #"{"email":"d@rules.example","name":"D","password":"eighteen-long-words","userID":"012345678912"}"#
        let again = try await understudy("account", "import", "--format", "jsonl", "-", input: lines + "\n" + lines)
        #expect(again.status == 1)
        #expect(again.errors.first?.hasPrefix("line 2: ") == true)
        expect(
            try await understudy("account", "import", "--format", "jsonl", "-", input: lines),
            ["imported 1, refused 0"]
        )
    }

    @Test func `products are imported, and shown`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let csv = "name,description,image\nCar,A beautiful car,car\n"
        expect(
            try await understudy("products", "import", "--format", "csv", "-", input: csv),
            ["imported 1, refused 0"]
        )
        let server = try Program(["serve", "--port", "0"], environment: ["UNDERSTUDY_DATA": folder.path])
        defer { server.kill() }
        let line = try #require(await server.output.next(containing: "Listening on "))
        let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
        let answer = try await HTTPTestClient.request("POST", "/products", headers: ["Host": "a"], port: port)
        #expect(answer.text.contains(#"[{"name":"Car","description":"A beautiful car","image":"car"}]"#))
    }

    @Test func `a backup is a whole database, made while a server runs, and overwrites nothing`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await addLisa()
        let server = try Program(["serve", "--port", "0"], environment: ["UNDERSTUDY_DATA": folder.path])
        defer { server.kill() }
        _ = await server.output.next(containing: "Listening on ")
        let file = folder.appendingPathComponent("backup.sqlite").path
        let backup = try await understudy("backup", file)
        #expect(backup.status == 0)
        #expect(backup.output.first?.hasPrefix(file + " (") == true)
        expect(
            try await understudy("backup", file),
            [],
            errors: ["error: there is a file '\(file)' already"],
            status: 1
        )
        #expect(try await understudy("account", "list", "--database", file).output.count == 2)
    }

    @Test func `an operator's work is in the audit log, without a secret`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await addLisa()
        _ = try await understudy("account", "disable", "lisa@rules.example")
        _ = try await understudy("account", "set-password", "lisa@rules.example", input: "nineteen-long-words\n")
        _ = try await understudy("account", "delete", "--yes", "lisa@rules.example")
        let log = try String(contentsOf: folder.appendingPathComponent("audit.jsonl"), encoding: .utf8)
        let events = log.split(separator: "\n").compactMap { line in
            try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        }
        #expect(events.map { $0["event"] } == ["accountAdded", "accountChanged", "accountChanged", "accountDeleted"])
        #expect(events.map { $0["reason"] } == [nil, "disabled", "password", nil])
        #expect(Set(events.map { $0["account"] }).count == 1)
        #expect(!log.contains("long-words") && !log.contains("lisa"))
    }
}
