@Suite(.fiveMinutes) struct DatabaseCopyCommandTests {
    let workplace = Workplace()
    var file: String { workplace.database }

    /// An address at which no server listens.
    static let nowhere = "postgresql://postgres@127.0.0.1:1/postgres"

    func copy(to uri: String = nowhere) async throws -> Program.Result {
        try await workplace.run("database copy --from", file, "--database", uri, "--as", "marge")
    }

    @Test func `the command copies a file, prints the number of rows, and refuses to copy it again`() async throws {
        let uri = try Cluster.newDatabase()
        try await workplace.add()
        let first = try await copy(to: uri).expect(status: 0, errors: [])
        #expect(first.output.prefix(3) == ["account: 1", "passkey: 0", "session_revocation: 0"])
        #expect(first.output.last == "\(uri): the copy of '\(file)' is complete and verified")
        try await workplace.run("account show bruce@example.com --database", uri).expect(status: 0)
        try await workplace.expect(
            """
            $ audit export --database \(uri)
            {…"event":"accountAdded",…}
            {…"event":"databaseCopied","reason":"\(file)","operator":"marge"…}
            $ audit verify --database \(uri)
            2 records are valid
            last hash: …
            $ database copy --from \(file) --database \(uri)
            error: Nothing was copied to '\(uri)': the table 'account' has rows; copy to an empty database, so that nothing is overwritten.
            """
        )
    }

    @Test func `neither a file that a server uses nor a target that cannot be reached is copied`() async throws {
        try await workplace.withServer { program, _ async throws in
            let copy = "$ database copy --from \(file) --database \(Self.nowhere)"
            try await workplace.expect("\(copy)\nerror: Another process (\(program.id)) has '\(file)' open…")
            #expect(await program.end(SIGKILL).status != 0)
            try await workplace.expect("\(copy)\nerror: The database 'postgresql://…")
        }
    }

    @Test func `nothing is copied to a database that a server uses`() async throws {
        let uri = try Cluster.newDatabase()
        try await workplace.add()
        try await workplace.withServer(["--database", uri]) { program, _ async throws in
            try await workplace.expect(
                """
                $ database copy --from \(file) --database \(uri)
                error: Nothing was copied to '\(uri)': the server '… \(program.id)' uses it. Stop it first.
                """
            )
        }
    }

    @Test(arguments: [
        (nil, "There is no file '%'."), ("text ".repeated(1_000), "'%' is not an SQLite database"),
        ("", "The file '%' has no tables: there is nothing to copy."),
    ])
    func `a file that cannot be copied is an error, and stays as it is`(text: String?, error: String) async throws {
        if let text { try workplace.file("understudy.sqlite", text) }
        try await copy().expect(status: 1, errors: ["error: " + error.replacing("%", with: file)])
        #expect((try? workplace.text("understudy.sqlite")) == text)
    }

    @Test func `the target must be a PostgreSQL database`() async throws {
        try await copy(to: "other.sqlite").expect(error: "…--database postgresql://…", status: 64)
    }
}
