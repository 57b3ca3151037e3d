import Foundation
import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct ImportSourceTests {
    private let workplace = Workplace()

    /// A file in the folder `Exports`, as another system has written it. All passwords in it are ``Workplace/password``.
    private func export(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Exports").appending(path: name)
            .path
    }

    /// What `account list --json` prints about each account.
    private func accounts() async throws -> [ListedAccount] {
        try await workplace.run("account", "list", "--json").output.map { line in
            try JSONDecoder().decode(ListedAccount.self, from: Data(line.utf8))
        }
    }

    private struct ListedAccount: Decodable {
        let username: String
        let name: String
        let email: String
        let disabled: Bool
    }

    /// Logs in at a server with the accounts, and returns the usernames that succeed with ``Workplace/password`` and not with another one.
    private func logins(_ usernames: String...) async throws -> [String] {
        var successful: [String] = []
        try await workplace.withServer { _, port in
            for username in usernames {
                #expect(try await logIn(port, username, "another password") == nil)
                // The first one replaces an imported hash.
                let results = [try await logIn(port, username) != nil, try await logIn(port, username) != nil]
                #expect(results[0] == results[1])
                if results[0] { successful.append(username) }
            }
        }
        return successful
    }

    @Test func `users of Keycloak are imported, and keep their passwords`() async throws {
        // The command of docs/accounts.md.
        let users = workplace.folder.appending(path: "users.jsonl").path
        let filter = ".users[] | select(.serviceAccountClientId | not)"
        let command = #"jq -c "$1" "$2" >"$3""#
        let jq = try ChildProcess("/bin/sh", ["-c", command, "sh", filter, export("rules-users-0.json"), users])
        #expect(await jq.end() == .exit(0))

        try await workplace.expect("$ account import --from keycloak \(users)\nimported 4, rejected 0")
        let accounts = try await accounts()
        #expect(accounts.map { $0.username } == ["bart", "homer", "lisa", "marge"])
        #expect(accounts.map { $0.name } == ["Bart Simpson", "Homer", "Lisa Simpson", "marge@rules.example"])
        #expect(accounts.map { $0.disabled } == [false, true, false, false])
        let bart = try await workplace.run("account", "show", "bart").output
        #expect(bart.contains("password:      not usable"))
        let marge = try await workplace.run("account", "show", "marge").output
        #expect(marge.contains("password:      imported PBKDF2"))
        #expect(marge.contains { $0.hasPrefix("confirmed:     2") })
        #expect(try await logins("lisa", "homer", "marge", "bart") == ["lisa", "marge"])
        let replaced = try await workplace.run("account", "show", "marge").output
        #expect(replaced.contains("password:      argon2id m=8,t=1"))

        let enabled = try await workplace.run("account", "enable", "homer")
        #expect(enabled.status == 0)
        #expect(try await logins("homer") == ["homer"])
    }

    @Test(arguments: [("auth0", "auth0.ndjson"), ("pocketbase", "pocketbase.jsonl"), ("devise", "devise.jsonl")])
    func `users of another system are imported, and keep their passwords`(source: String, file: String) async throws {
        let count = source == "devise" ? 3 : 2
        let command = "$ account import --from \(source) \(export(file))"
        try await workplace.expect("\(command)\nimported \(count), rejected 0")
        let accounts = try await accounts()
        #expect(accounts.map { $0.email }.suffix(2) == ["homer@rules.example", "lisa@rules.example"])
        let lisa = source == "auth0" ? "lisa@rules.example" : "Simpson, Lisa"
        #expect(accounts.map { $0.name }.suffix(2) == ["homer@rules.example", lisa])
        for (name, isConfirmed) in [("homer", false), ("lisa", true)] {
            let shown = try await workplace.run("account", "show", "\(name)@rules.example").output
            #expect(shown.contains("password:      imported bcrypt"))
            #expect(shown.contains { $0.hasPrefix("confirmed:     2") } == isConfirmed)
        }
        #expect(
            try await logins("lisa@rules.example", "homer@rules.example", "bart@rules.example")
                == ["lisa@rules.example", "homer@rules.example"]
        )

        let again = try await workplace.run("account", "import", "--from", source, export(file))
        again.expect(status: 1, output: ["imported 0, rejected \(count)"])
    }

    @Test func `users of Keycloak that cannot be imported are reported with the reason`() async throws {
        func user(_ number: Int, _ credentials: String) -> String {
            #"{"username":"u\#(number)","email":"u\#(number)@rules.example","credentials":\#(credentials)}"#
        }
        func password(_ secret: String, _ data: String) throws -> String {
            let credential = ["type": "password", "secretData": secret, "credentialData": data]
            return "[\(String(decoding: try JSONEncoder().encode(credential), as: UTF8.self))]"
        }
        let secret = #"{"value":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","salt":"AAAAAAAAAAAAAAAAAAAAAA=="}"#
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let lines = [
            user(1, #""x""#), user(2, #"[{"type":"password"}]"#), user(3, try password("{}", "{}")),
            user(4, try password(secret, #"{"algorithm":"md5","hashIterations":1}"#)),
            user(5, try password(secret, #"{"algorithm":"pbkdf2-sha256","hashIterations":-1}"#)),
            user(6, try password(secret, #"{"algorithm":"pbkdf2-sha256","hashIterations":2000001}"#)),
            user(7, try password(secret, #"{"algorithm":"argon2","hashIterations":1,"additionalParameters":{}}"#)),
            user(
                8,
                try password(
                    secret,
                    #"{"algorithm":"argon2","hashIterations":1,"additionalParameters":{"memory":["4194304"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}"#
                )
            ),
            user(9, deep), user(10, try password(secret, deep)), #"["email"]"#, #"{"username":"u12"}"#,
            #"{"email":"u13@rules.example","emailVerified":7}"#,
        ]
        let file = try workplace.file("users.jsonl", lines.joined(separator: "\n"))
        let result = try await workplace.run("account", "import", "--from", "keycloak", file)
        #expect(result.status == 1)
        #expect(result.output == ["imported 0, rejected 13"])
        let expected = [
            "'credentials' is not as expected", "the password has no hash: export the users with 'kc.sh export'",
            "'secretData' is not as expected",
            "the password is hashed with 'md5'; expected argon2, pbkdf2, pbkdf2-sha256 or pbkdf2-sha512",
            "the passwordHash cannot be used: the hash is not of bcrypt", "from 1 to 2000000, not 2000001",
            "the password has the version '' of Argon2; expected 1.3", "from 8 to 262144, not 4194304", "levels deep",
            "'credentialData' is not as expected", "expected a JSON object", "the email address is missing",
            "emailConfirmed must be true or false, not '7'",
        ]
        for (number, text) in expected.enumerated() {
            let line = result.errors.first { $0.hasPrefix("line \(number + 1): ") }
            #expect(line?.contains(text) == true, "\(line ?? ""), \(text)")
        }
    }

    @Test func `a name of another system that is unknown is wrong usage`() async throws {
        try await workplace.expect("$ account import --from okta users.jsonl\nerror: …okta…\nexit status 64")
    }

    @Test func `a member about the account is true or false`() async throws {
        let password = #""password":"\#(Workplace.password)""#
        let file = try workplace.file(
            "a.jsonl",
            """
            {"email":"a@rules.example",\(password),"emailConfirmed":"true","disabled":"true"}
            {"email":"b@rules.example",\(password),"disabled":"false"}
            {"email":"c@rules.example",\(password),"emailConfirmed":"yes"}
            {"email":"d@rules.example",\(password),"disabled":"1"}
            """
        )
        try await workplace.expect(
            """
            $ account import \(file)
            imported 2, rejected 2
            line 3: emailConfirmed must be true or false, not 'yes'
            line 4: disabled must be true or false, not '1'
            exit status 1
            """
        )
        #expect(try await accounts().map { $0.disabled } == [true, false])
    }
}
