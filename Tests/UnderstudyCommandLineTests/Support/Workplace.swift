/// A data folder and commands that use it, with the cheapest hashing. It is deleted with this object.
final class Workplace: Sendable {
    let temporary = TemporaryFolder()
    var folder: URL { temporary.url }

    /// A password that the policy accepts.
    static let password = "correct horse battery staple"
    /// A hash of no password.
    static let hash =
        "$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    static let cheap = ["UNDERSTUDY_HASH_MEMORY": "8KiB", "UNDERSTUDY_HASH_ITERATIONS": "1"]

    var environment: [String: String] { Self.cheap.merging(["UNDERSTUDY_DATA": folder.path]) { $1 } }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The path of the database file.
    var database: String { path("understudy.sqlite") }

    /// The names of all files in the folder.
    var names: [String] { get throws { try Files.names(in: folder.path) } }

    /// Runs `understudy` with a command line, to which further arguments are added, in this process.
    @discardableResult
    func run(_ command: String, _ arguments: String..., input: String = "") async throws -> Program.Result {
        try await run(command.words + arguments, input: input)
    }

    /// Runs `understudy` with the arguments, in this process.
    func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        terminal: FileHandle? = nil
    ) async throws -> Program.Result {
        try await Application.bundled.run(
            arguments,
            environment: self.environment.merging(environment) { $1 },
            input: input,
            terminal: terminal
        )
    }

    /// Adds an account with ``password``.
    @discardableResult
    func add(_ email: String = "bruce@example.com", _ more: String...) async throws -> Program.Result {
        try await add(email, more)
    }

    /// Adds an account with ``password``.
    @discardableResult
    func add(_ email: String = "bruce@example.com", _ more: [String]) async throws -> Program.Result {
        let name = more.contains("--name") ? [] : ["--name", "Bruce Wayne"]
        return try await run(["account", "add", "--email", email] + name + more, input: Self.password + "\n")
    }

    /// The factors of a user who has only an authenticator app.
    static func app(secret: String) -> Factors {
        var factors = Factors()
        factors.authenticatorApp = AuthenticatorApp(secret: secret, created: .ms(0), lastStep: 0)
        return factors
    }

    /// A line for `account import` with ``password`` and factors.
    static func account(_ email: String, _ factors: Factors) throws -> String {
        let account: Value = [
            "email": .string(email), "password": .string(password), "factors": .string(try json(factors)),
        ]
        return "\(account)\n"
    }

    /// A file in the folder.
    @discardableResult
    func file(_ name: String, _ text: String) throws -> String {
        try temporary.write(name, text)
        return path(name)
    }

    /// A shell script in the folder that can be executed.
    @discardableResult
    func program(_ name: String, _ script: String) async throws -> String {
        let path = path(name)
        // Not written by this process: a process that another test starts meanwhile would have the file open for writing for a moment, so
        // that it could not be executed.
        let command = #"printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod 700 "$0""#
        #expect(try await ChildProcess("/bin/sh", ["-c", command, path, script]).end() == .exit(0))
        return path
    }

    /// The records of the audit log, the oldest first.
    ///
    /// - Parameter database: the options that name the database.
    func auditRecords(_ database: [String] = []) async throws -> [String] {
        let export = try await run(["audit", "export"] + database)
        #expect(export.errors == [])
        return export.output
    }

    /// The text of a file in the folder.
    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }
}
