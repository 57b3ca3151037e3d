import Accounts
import Foundation
import HTTPTestClient
import Testing

@testable import UnderstudyCommandLine

/// Commands that use the database of a running server.
@Suite(.timeLimit(.minutes(5))) struct AccountSessionsTests {
    @Test(arguments: ["disable", "set-password", "delete --yes", "logout", "rename bruce", "roles add admin"])
    func `the sessions of a changed account end within a second`(command: String) async throws {
        let workplace = try Workplace()
        try await workplace.add()
        try await withServer(environment: workplace.environment) { _, port in
            let token = try #require(try await logIn(port))
            #expect(try await get("/session", token, port).status == 200)
            var arguments = ["account"] + command.split(separator: " ").map(String.init)
            // The account precedes what it gets.
            arguments.insert(
                "bruce@example.com",
                at: ["bruce", "admin"].contains(arguments.last) ? arguments.count - 1 : arguments.count
            )
            let program = try Program(
                arguments,
                environment: workplace.environment,
                input: "another horse battery staple\n"
            )
            #expect(await program.result().status == 0)
            #expect(try await eventually(within: .seconds(1)) { try await get("/session", token, port).status == 401 })
            let staysUsable = command == "logout" || command == "roles add admin"
            #expect(try await (logIn(port) != nil) == staysUsable)
            let isSet = command == "set-password"
            #expect(try await (logIn(port, "bruce@example.com", "another horse battery staple") != nil) == isSet)
        }
    }

    @Test func `a locked account is listed as locked until it is unlocked`() async throws {
        let workplace = try Workplace()
        try await workplace.add()
        try await withServer(environment: workplace.environment) { _, port in
            for _ in 0..<5 {
                #expect(try await logIn(port, "bruce@example.com", "wrong") == nil)
            }
            #expect(try await logIn(port) == nil)
            let locked = try await workplace.run("account", "show", "bruce@example.com").output
            #expect(locked.contains { $0.hasPrefix("state:         locked until 20") })
            #expect(locked.contains("failed logins: 5"))
            let list = try await workplace.run("account", "list").output
            #expect(list.last?.contains("  locked until 20") == true)
            let unlocked = try await workplace.run("account", "unlock", "bruce@example.com")
            #expect(unlocked.output == ["Unlocked the account 'bruce@example.com'."])
            #expect(try await logIn(port) != nil)
        }
        #expect(try await workplace.auditRecords().joined().contains(#""reason":"unlocked","#))
    }

    @Test func `an export contains all data about a user, and a deletion removes it`() async throws {
        let workplace = try Workplace()
        try await workplace.add()
        try await workplace.add("robin@example.com")
        try await withServer(environment: workplace.environment) { program, port async throws in
            _ = try #require(try await logIn(port))
            _ = try #require(try await logIn(port, "robin@example.com"))
            program.send(SIGTERM)
            _ = await program.result()
        }
        let export = try await workplace.run("account", "export", "bruce@example.com")
        #expect(export.errors == [])
        let data = Data(export.output.joined(separator: "\n").utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect((object["account"] as? [String: Any])?["email"] as? String == "bruce@example.com")
        #expect((object["devices"] as? [Any])?.count == 1)
        #expect((object["sessions"] as? [Any])?.count == 1)
        let records = try #require(object["auditRecords"] as? [[String: String]])
        #expect(records.map { $0["event"] } == ["accountAdded", "login"])
        let text = export.output.joined()
        #expect(!text.contains("robin") && !text.contains("$argon2id"))
        #expect(try await workplace.run("account", "delete", "bruce@example.com", "--yes").status == 0)
        #expect(try await workplace.run("account", "export", "bruce@example.com").status == 1)
        let other = try await workplace.run("account", "export", "robin@example.com").output.joined()
        #expect(other.contains(#""sequence""#))
    }

    @Test func `a backup of a running server's database is complete`() async throws {
        let workplace = try Workplace()
        try await workplace.add()
        try await withServer(environment: workplace.environment) { _, _ in
            let file = workplace.folder.path + "/copy.sqlite"
            let backup = try await workplace.run("backup", file)
            #expect(backup.status == 0)
            let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
            #expect(backup.output == ["\(file) (\(size) bytes)"])
            #expect(backup.errors == [])
            let list = try await workplace.run("account", "list", "--database", file)
            #expect(list.status == 0)
            #expect(list.output.last?.hasPrefix("bruce@example.com") == true)
            let again = try await workplace.run("backup", file)
            again.expect(status: 1, errors: ["error: there is a file '\(file)' already"])
        }
    }

    @Test func `a running server uses added accounts and products`() async throws {
        let workplace = try Workplace()
        try await withServer(environment: workplace.environment) { _, port in
            try await workplace.add("bruce@example.com", "--username", "batman")
            #expect(try await logIn(port, "batman") != nil)
            let products = try workplace.file(
                "p.jsonl",
                #"{"name":"Cape","description":"Black, long","image":"cape.png"}"#
            )
            #expect(try await workplace.run("products", "import", products).output == ["imported 1, rejected 0"])
            let page = try await post("/products", "event=onStart", newToken(port), port)
            #expect(page.text.contains("Cape"), "\(page.text)")
        }
    }
}
