@Suite(.fiveMinutes) struct `Damaged and replaced files` {
    let workplace = Workplace()
    var file: String { workplace.database }
    var backup: String { workplace.path("backup.sqlite") }

    /// Adds an account, and creates a backup.
    func backUp() async throws {
        try await workplace.add()
        try await workplace.run("backup", backup).expect(status: 0)
    }

    @Test func `a damaged file is reported, is not backed up, and is replaced by a backup`() async throws {
        try await backUp()
        // The last pages, of tables that the start does not read.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        for index in bytes.count - 9 * 4096..<bytes.count { bytes[index] = 0xFF }
        try bytes.write(to: URL(fileURLWithPath: file))
        let status = try await workplace.run("database status")
        status.expect(error: "The database '\(file)' is damaged: restore a backup.")
        #expect(status.output.first == "*** in database main ***")

        let other = workplace.path("other.sqlite")
        // The command may notice the damage when it opens the database, or when it checks the copy.
        try await workplace.expect(
            """
            $ backup \(other)
            error: …the database '\(file)' is damaged; restore a backup with 'restore FILE'…
            """
        )
        #expect(!Files.exists(other))

        try await workplace.expect(
            """
            $ restore \(backup)
            \(file): restored from \(backup)
            the replaced database is \(file).replaced-…
            """
        )
        try await workplace.run("database status").expect(status: 0)
        for ending in ["-wal", "-shm"] { #expect(!Files.exists(file + ending)) }
        try await workplace.run("account show bruce@example.com").expect(status: 0)
        let records = try await workplace.auditRecords()
        #expect(records.last?.contains(#""event":"databaseRestored","reason":"\#(backup)""#) == true)
    }

    @Test func `a damaged backup and the database itself are not restored`() async throws {
        try await backUp()
        let url = URL(fileURLWithPath: backup)
        try Data(contentsOf: url).dropLast(8192).write(to: url)
        try await workplace.expect(
            """
            $ restore \(backup)
            error: The backup '\(backup)' is damaged: restore another one. The database is as it was.
            $ restore \(file)
            error: '\(file)' is the database itself, not a backup of it
            """
        )
        try await workplace.run("account show bruce@example.com").expect(status: 0)
    }

    @Test func `no file is restored while a server uses the database`() async throws {
        try await backUp()
        try await workplace.withServer { program, _ async throws in
            try await workplace.expect(
                """
                $ restore \(backup)
                error: another process (\(program.id)) uses the database '\(file)'; stop it first
                """
            )
            #expect(await program.end(SIGKILL).status != 0)
            try await workplace.run("restore", backup).expect(status: 0)
        }
    }

    @Test func `without traffic, a server notices that its file is gone, and when it is back`() async throws {
        try await workplace.add()
        try await workplace.withServer(["--admin-port", "0"]) { program, port in
            let operators = try await program.operatorsPort
            let ready = { try await get("/readyz", port) }
            try await ready().expect()
            let elsewhere = file + ".elsewhere"
            try Files.move(file, to: elsewhere)
            #expect(try await eventually { try await ready().status == 503 })
            try await ready().expect(#""part":"database""#, status: 503)
            try await get("/metrics", operators).expect("\nunderstudy_ready 0")
            let status = try await workplace.run("status --admin-port \(operators)").expect(status: 1)
            #expect(status.output.first?.contains("not ready: The database cannot be reached or written.") == true)
            #expect(status.output.contains { $0.contains("was moved or deleted") })
            for (path, form) in [
                ("/signup", "name=Lisa&email=lisa@rules.example&password=eighteen-long-words"),
                ("/login", "username=x&password=y"),
            ] {
                let answer = try await post(path, form, port, headers: ["X-Request-ID": "broken"])
                answer.expect("\"unavailable\"", status: 503)
                #expect(answer.header("Retry-After") == "1")
                #expect(!answer.text.contains("sqlite"))
                let place = "page=\(path.dropFirst()) request=broken"
                let line = try #require(await program.errors.next(containing: place))
                #expect(line.contains(/The database is not available error=.* event=\w+ page=/), "\(line)")
            }
            try Files.move(elsewhere, to: file)
            #expect(try await eventually { try await ready().status == 200 })
            #expect(try await logIn(port) != nil)
        }
    }
}
