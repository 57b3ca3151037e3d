import Accounts
import BusinessLogic
import Foundation
import HTTPTestClient
import Testing
import TestSupport

extension AccountFlowsTests {
    /// The value of the last command that renders a key.
    private func rendered(_ key: String, in response: TestResponse) throws -> Value {
        let json = try JSONReader.read(Array(response.text.utf8))
        let command = json["commands"]?.array?.last { $0["key"]?.string == key }
        return try #require(command?["value"], "\(response.text)")
    }

    /// The token of a session in which the account of `bruce@example.com` has just logged in, which this adds.
    private func addAccount(_ port: UInt16, _ database: [String]) async throws -> String {
        try await workplace.add("bruce@example.com", database)
        return try #require(try await logIn(port))
    }

    /// Enters the password in a new session, and returns its token.
    private func begin(_ port: UInt16) async throws -> String {
        let token = try await newToken(port)
        let form = "username=bruce@example.com&password=\(encoded(Workplace.password))"
        let answer = try await post("/login", form, token, port)
        #expect(answer.text.contains(#""name":"secondFactor""#), "\(answer.text)")
        return token
    }

    private func isLogin(_ response: TestResponse) -> Bool { response.text.contains(#""name":"Home""#) }

    @Test(arguments: Kind.allCases)
    func `two servers accept a code, a recovery code and a challenge once, and have the same time`(
        _ kind: Kind
    ) async throws {
        try await withServers(kind) { one, other, database async throws in
            let bruce = try await addAccount(one, database)
            // An app, whose secret one server has created, and another confirms.
            let created = try await post("/factors", "event=createAppButtonPressed", bruce, one)
            let text = try rendered("appSecret", in: created)
            let secret = try OneTimeCodeSecret(base32: try #require(text.string))
            func code(_ offset: Int) throws -> String {
                try #require(secret.code(ofStep: Int(Date.now.timeIntervalSince1970) / 30 + offset))
            }
            let elsewhere = try #require(try await logIn(one))
            let confirmation = "event=confirmAppButtonPressed&code=\(try code(-1))&endSessions=true"
            let confirmed = try await post("/factors", confirmation, bruce, other)
            #expect(try await get("/session", elsewhere, one).status == 401)
            #expect(try await get("/session", bruce, one).status == 200)
            let recovery = try rendered("recoveryCodes", in: confirmed).array?.compactMap(\.string) ?? []
            try #require(recovery.count == 10, "\(confirmed.text)")
            // Two logins at once with one code of the app, and with one recovery code.
            for code in [try code(1), recovery[0]] {
                let (first, second) = (try await begin(one), try await begin(other))
                async let here = post("/secondFactor", "code=\(code)", first, one)
                async let there = post("/secondFactor", "code=\(code)", second, other)
                let answers = [try await here, try await there]
                #expect(answers.count(where: isLogin) == 1, "\(answers.map(\.text))")
                #expect(answers.count { $0.text.contains("secondFactor.wrong") } == 1, "\(answers.map(\.text))")
            }
            // A passkey, which is bound to one of the servers, whose ports differ.
            var authenticator = Authenticator()
            authenticator.relyingParty = "localhost"
            authenticator.origin = .string("http://localhost:\(one)")
            let creation = try rendered(
                "passkeyCreation",
                in: try await post("/factors", "event=createPasskeyButtonPressed", bruce, one)
            )
            authenticator.handle = creation["user"]?["id"]?.string.flatMap { [UInt8](base64URL: $0) }
            let passkey = form(try authenticator.registration(challenge(creation)))
            let added = try await post("/factors", "event=passkeyCreated&passkey=\(passkey)", bruce, one)
            #expect(try rendered("passkeys", in: added).array?.count == 1)
            // The same response to one challenge, sent twice at once.
            let session = try await newToken(other)
            let request = try rendered(
                "passkeyRequest",
                in: try await post("/login", "event=passkeyRequested", session, other)
            )
            authenticator.type = "webauthn.get"
            authenticator.flags = 0b0000_0101
            let response = "event=passkeyChosen&passkey=\(form(try authenticator.login(challenge(request))))"
            async let here = post("/login", response, session, one)
            async let there = post("/login", response, session, one)
            let answers = [try await here, try await there]
            #expect(answers.count(where: isLogin) == 1, "\(answers.map(\.text))")
        }
    }

    private func challenge(_ options: Value) throws -> [UInt8] {
        try #require(options["challenge"]?.string.flatMap { [UInt8](base64URL: $0) })
    }

    private func form(_ response: Value) -> String {
        "\(response)".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @Test func `an operator lists, moves and removes factors, which ends the sessions`() async throws {
        try await withServers(.file) { port, _, _ async throws in
            let bruce = try await addAccount(port, [])
            let created = try await post("/factors", "event=createAppButtonPressed", bruce, port)
            let text = try rendered("appSecret", in: created)
            let secret = try OneTimeCodeSecret(base32: try #require(text.string))
            let code = try #require(secret.code(ofStep: Int(Date.now.timeIntervalSince1970) / 30))
            _ = try await post("/factors", "event=confirmAppButtonPressed&code=\(code)", bruce, port)
            let list = try await workplace.run(["account", "factors", "list", "bruce@example.com"])
            #expect(list.output.count == 2)
            #expect(list.output[0].hasPrefix("authenticator app"))
            #expect(list.output[1].hasSuffix("10 not used"))
            let secrets = try await workplace.run(["account", "factors", "list", "bruce@example.com", "--secrets"])
            let factors = try #require(secrets.output.first)
            let hash = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g"
            let line = Value.object([
                "email": "lisa@rules.example", "passwordHash": .string(hash), "factors": .string(factors),
            ])
            let damaged = #"{"email":"bart@rules.example","password":"forty blue candles","factors":"{}"}"#
            let people = try workplace.file("people.jsonl", "\(line)\n\(damaged)\n")
            let imported = try await workplace.run(["account", "import", people])
            #expect(imported.errors.joined().contains("the factors are not an object"), "\(imported)")
            let moved = try await workplace.run(["account", "factors", "list", "lisa@rules.example", "--secrets"])
            #expect(moved.output == [factors])
            let wrong = try await workplace.run(["account", "factors", "remove", "bruce@example.com", "--passkey", "0"])
            #expect(wrong.errors == ["error: The account 'bruce@example.com' has no such factor."])
            let removed = try await workplace.run(["account", "factors", "remove", "bruce@example.com", "--app"])
            #expect(removed.output == ["Removed the authenticator app of the account 'bruce@example.com'."])
            let none = try await workplace.run(["account", "factors", "list", "bruce@example.com"])
            #expect(none.output == [])
            #expect(try await get("/session", bruce, port).status == 401)
            #expect(try await logIn(port) != nil)
        }
    }
}

extension OneTimeCodeSecret {
    /// The secret in base32 (RFC 4648 section 6), as a person types it.
    fileprivate init(base32 text: String) throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, buffer, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for digit in text where digit != " " {
            buffer = (buffer << 5 | (try #require(alphabet.firstIndex(of: digit)))) & 0xFFFF
            bits += 5
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
        }
        self.init(bytes: bytes)
    }
}
