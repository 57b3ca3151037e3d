struct `A connection` {
    let file = TemporaryFile()

    // MARK: Values

    @Test func `values are returned as they were passed, and empty bytes are not null`() throws {
        let row = try SQLiteConnection.inMemory().run(
            "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, typeof(?8), ''",
            Int64.min,
            Int64.max,
            true,
            [0, 255] as [UInt8],
            SQLValue.null,
            "ä€",
            "",
            [UInt8]()
        )[0]
        #expect(try row.integer(0) == .min)
        #expect(try row.integer(1) == .max)
        #expect(try row.boolean(2))
        #expect(try row.bytes(3) == [0, 255])
        #expect(try row.text(5) == "ä€")
        #expect(try row.text(6) == "")
        #expect(try row.bytes(7) == [])
        #expect(try row.text(8) == "blob")
        #expect(try row.text(9) == "")
        #expect(try row.optionalBytes(4) == nil)
        #expect(try row.optionalText(4) == nil)
        #expect(try row.optionalInteger(4) == nil)
        #expect(try row.optionalBoolean(4) == nil)
    }

    @Test func `a statement with a text that contains U+0000 fails, and a stored one is returned whole`() throws {
        let connection = try SQLiteConnection.inMemory()
        #expect(throws: SQLValueError.self) { try connection.run("SELECT ?1", "a\0b") }
        #expect(try connection.run("SELECT CAST(?1 AS TEXT)", "a\0b".bytes)[0].text(0) == "a\0b")
    }

    @Test func `a text of a file in UTF-16 is returned in UTF-8, and what is not UTF-8 is replaced`() throws {
        #expect(try SQLiteConnection.inMemory().run("SELECT CAST(x'61FF62' AS TEXT)")[0].text(0) == "a\u{FFFD}b")
        let connection = try SQLiteConnection(file.path)
        try connection.execute(
            "PRAGMA encoding = 'UTF-16'; CREATE TABLE texts (text TEXT); INSERT INTO texts VALUES ('ä€')"
        )
        #expect(try connection.run("SELECT text FROM texts")[0].text(0) == "ä€")
    }

    @Test func `a column of another type, null and a missing column are errors`() throws {
        let row = try SQLiteConnection.inMemory().run("SELECT 7, 'a', x'61', 1.5, NULL")[0]
        for column in [1, 2, 3, 4, 5, -1] { #expect(throws: SQLValueError.self) { try row.integer(column) } }
        for column in [0, 2, 3, 4, 5, -1] { #expect(throws: SQLValueError.self) { try row.text(column) } }
        for column in [0, 1, 3, 4, 5, -1] { #expect(throws: SQLValueError.self) { try row.bytes(column) } }
        #expect(throws: SQLValueError.self) { try row.optionalInteger(1) }
        #expect(throws: SQLValueError.self) { try row.optionalText(0) }
        #expect(throws: SQLValueError.self) { try row.optionalBytes(1) }
    }

    @Test func `an integer that has no room in 64 bits is an error`() throws {
        let connection = try SQLiteConnection.inMemory()
        let row = try connection.run("SELECT 9223372036854775808")[0]
        #expect(throws: SQLValueError.self) { try row.integer(0) }
        #expect(code { try connection.run("SELECT sum(column1) FROM (VALUES (?1), (1))", Int64.max) } == .error)
    }

    // MARK: Statements

    @Test(
        arguments: [
            ("a value that is too large", "SELECT zeroblob(2000000000)", 0, .tooBig),
            ("fewer values than parameters", "SELECT ?1, ?2", 1, .range),
            ("more values than parameters", "SELECT ?1", 2, .range),
            ("two statements", "SELECT 1; SELECT 2", 0, .misuse), ("U+0000", "SELECT 1\0", 0, .misuse),
            ("a missing column in double quotes", #"SELECT "missing" FROM numbers"#, 0, .error),
        ] as [(String, String, Int, SQLiteError.Code)]
    )
    func `a statement that cannot be executed is an error`(
        _: String,
        sql: String,
        values: Int,
        expected: SQLiteError.Code
    ) throws {
        let (connection, values) = (try file.connection(), Array(repeating: SQLValue.integer(1), count: values))
        #expect(code { try connection.run(sql, values) } == expected)
    }

    @Test func `a statement can use a value twice, end with white space or be a comment`() throws {
        let connection = try SQLiteConnection.inMemory()
        #expect(try connection.run("SELECT ?1, ?1", 1)[0].integer(1) == 1)
        #expect(try connection.run("SELECT 1; \n").count == 1)
        #expect(try connection.run(" -- nothing").isEmpty)
    }

    @Test func `a script ends with its first error`() throws {
        let connection = try file.connection()
        let script = "INSERT INTO numbers VALUES (1); SELECT 'a' FROM b; INSERT INTO numbers VALUES (2)"
        #expect(code { try connection.execute(script) } == .error)
        #expect(try connection.count() == 1)
    }

    @Test func `a statement that has failed can be executed again`() throws {
        let connection = try file.connection()
        try connection.insert(1)
        for _ in 1...2 { #expect(code { try connection.insert(1) } == .constraint) }
        try connection.insert(2)
        #expect(try connection.run("SELECT number FROM numbers").map { try $0.number(0) } == [1, 2])
    }

    @Test func `a statement continues to work when another connection has changed the table`() throws {
        let connection = try file.connection()
        #expect(try connection.count() == 0)
        try SQLiteConnection(file.path).execute(
            "ALTER TABLE numbers ADD COLUMN name TEXT; INSERT INTO numbers VALUES (1, '')"
        )
        #expect(try connection.count() == 1)
    }

    @Test func `an error contains its number, its message and the statement, but no values`() throws {
        let connection = try file.connection()
        try connection.insert(7_777)
        let error = try #require(throws: SQLiteError.self) { try connection.insert(7_777) }
        let reason = "UNIQUE constraint failed: numbers.number in the statement 'INSERT INTO numbers VALUES (?1)'"
        #expect(error.description == "SQLite error 1555: \(reason)")
    }

    @Test func `foreign keys are enforced`() throws {
        let connection = try file.connection()
        try connection.execute("CREATE TABLE other (number INTEGER REFERENCES numbers)")
        #expect(code { try connection.run("INSERT INTO other VALUES (1)") } == .constraint)
    }

    @Test func `changes are counted`() throws {
        let connection = try file.connection()
        for number in 1...3 { try connection.insert(number) }
        try connection.run("DELETE FROM numbers WHERE number > 1")
        #expect(connection.totalChanges == 5)
    }

    // MARK: Files

    @Test func `a missing file is not created`() {
        #expect(code { _ = try SQLiteConnection(file.path + "-missing") } == .cannotOpen)
        #expect(!file.exists("-missing"))
    }

    @Test func `a connection for reading cannot write`() throws {
        _ = try file.connection()
        let connection = try SQLiteConnection(file.path, .readOnly)
        #expect(try connection.count() == 0)
        #expect(code { try connection.insert(1) } == .readOnly)
    }

    @Test(arguments: ["a b", "50%20?#.sqlite", "ä€'\"\\"])
    func `an immutable file is read without its log, whatever its name is`(_ name: String) throws {
        let file = TemporaryFile(name)
        let connection = try file.connection()
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try connection.insert(1)
        let immutable = try SQLiteConnection(file.path, .immutable)
        #expect(try immutable.count() == 0)
        #expect(code { try immutable.insert(1) } == .readOnly)
        #expect(try SQLiteConnection(file.path, .readOnly).count() == 1)
    }

    @Test func `a damaged page and another file are errors`() throws {
        try file.connection().execute("PRAGMA journal_mode = DELETE")
        file.overwrite([UInt8](repeating: 0xFF, count: 4096), at: 4096)
        #expect(code { try _ = SQLiteConnection(file.path).count() } == .corrupt)
        file.overwrite("a text".bytes, at: 0)
        #expect(code { try _ = SQLiteConnection(file.path).count() } == .notADatabase)
    }

    @Test func `what has no room changes nothing, and later statements succeed`() throws {
        let connection = try file.connection()
        try connection.execute("PRAGMA max_page_count = 2; CREATE TABLE IF NOT EXISTS numbers (number)")
        #expect(code { try connection.execute("CREATE TABLE large AS SELECT zeroblob(100000) AS bytes") } == .full)
        #expect(code { try connection.run("SELECT * FROM large") } == .error)
        try connection.insert(1)
        try connection.execute("PRAGMA max_page_count = 1000; CREATE TABLE large AS SELECT zeroblob(100000) AS bytes")
        #expect(try connection.run("SELECT bytes FROM large")[0].bytes(0).count == 100_000)
    }

    // MARK: Copies

    @Test func `a copy to a locked database fails and changes nothing`() throws {
        let other = try file.connection()
        try other.insert(1)
        try other.execute("BEGIN IMMEDIATE")
        let connection = try SQLiteConnection(file.path)
        #expect(code { try SQLiteConnection.inMemory().backup(to: connection) } == .busy)
        try other.execute("ROLLBACK")
        #expect(try connection.count() == 1)
    }
}
