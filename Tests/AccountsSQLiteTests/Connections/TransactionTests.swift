struct `A transaction` {
    let file = TemporaryFile()
    let connection: SQLiteConnection

    init() throws { connection = try file.connection() }

    @Test func `a transaction whose commit fails is rolled back`() throws {
        try connection.execute("CREATE TABLE other (number INTEGER REFERENCES numbers DEFERRABLE INITIALLY DEFERRED)")
        let found = code {
            try connection.inTransaction(.deferred) {
                try connection.insert(1)
                try connection.run("INSERT INTO other VALUES (2)")
            }
        }
        #expect(found == .constraint)
        #expect(try connection.count() == 0)
        #expect(!connection.isInTransaction)
    }

    @Test func `after an error with which SQLite rolls back, a transaction executes nothing more`() throws {
        let found = code {
            try connection.inTransaction(.immediate) {
                try connection.insert(1)
                #expect(throws: SQLiteError.self) { try connection.run("INSERT OR ROLLBACK INTO numbers VALUES (1)") }
                #expect(code { try connection.insert(2) } == .abort)
                #expect(code { try connection.execute("INSERT INTO numbers VALUES (2)") } == .abort)
            }
        }
        #expect(found == .abort)
        #expect(try connection.count() == 0)
        try connection.insert(2)
    }

    @Test func `a transaction in a transaction fails, and nothing is changed`() throws {
        let found = code {
            try connection.inTransaction(.immediate) {
                try connection.insert(1)
                try connection.inTransaction(.immediate) { try connection.insert(2) }
            }
        }
        #expect(found == .error)
        #expect(try connection.count() == 0)
    }
}
