/// The filters of docs/accounts.md, which convert what other systems export.
@Suite(.fiveMinutes) struct OtherSystemsTests {
    let workplace = Workplace()

    /// The filter that begins with the name of its file.
    func filter(_ name: String) throws -> String {
        let text = try Checkout.text("docs/accounts.md")
        let start = try #require(text.range(of: "```jq\n# \(name)\n"))
        let end = try #require(text[start.upperBound...].range(of: "```"))
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// The username, the name and the state of each account, and whether its address is confirmed.
    func accounts() async throws -> [String] {
        try await workplace.run("account list --json").output.map { line in
            let account = try JSONReader.read(line.bytes)
            let texts = ["username", "name", "state"].compactMap { account[$0]?.string }
            return texts.joined(separator: ", ") + (account["emailConfirmed"] == nil ? "" : ", confirmed")
        }
    }

    // All passwords are that of the workplace.
    @Test(arguments: [
        (
            "keycloak.json", ["lisa", "marge"],
            [
                "bart, Bart Simpson, active, confirmed", "homer, Homer, disabled",
                "lisa, Lisa Simpson, active, confirmed", "marge, marge@rules.example, active, confirmed",
            ]
        ),
        (
            "auth0.ndjson", ["homer@rules.example", "lisa@rules.example"],
            [
                "homer@rules.example, homer@rules.example, active",
                "lisa@rules.example, lisa@rules.example, active, confirmed",
            ]
        ),
        (
            "pocketbase.json", ["homer@rules.example", "lisa@rules.example"],
            [
                "homer@rules.example, homer@rules.example, active",
                "lisa@rules.example, Simpson, Lisa, active, confirmed",
            ]
        ),
        (
            "devise.jsonl", ["homer@rules.example", "lisa@rules.example"],
            [
                "bart@rules.example, Bart, active, confirmed", "homer@rules.example, homer@rules.example, active",
                "lisa@rules.example, Simpson, Lisa, active, confirmed",
            ]
        ),
    ])
    func `users of another system are imported, and those with a password keep it`(
        file: String,
        users: [String],
        accounts: [String]
    ) async throws {
        let system = String(file.prefix { $0 != "." })
        let jqFile = try workplace.file("filter.jq", filter("\(system).jq"))
        let lines = workplace.path("users.jsonl")
        let export = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Exports/\(file)").path
        let jq = try ChildProcess("/bin/sh", ["-c", #"jq -c -f "$0" "$1" >"$2""#, jqFile, export, lines])
        #expect(await jq.end() == .exit(0))
        try await workplace.expect("$ account import \(lines)\nimported \(accounts.count), rejected 0")
        #expect(try await self.accounts() == accounts)
        try await workplace.withServer { _, port async throws in
            for user in accounts.map({ String($0.prefix { $0 != "," }) }) {
                #expect(try await (logIn(port, user) != nil) == users.contains(user), "\(user)")
                #expect(try await logIn(port, user, "another password") == nil)
            }
        }
    }
}
