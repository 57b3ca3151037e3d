import AccountsSQLite
import Testing

@Suite struct `A transaction` {
    private struct Failure: Error {}

    private let file = TemporaryFile()

    @Test func `what a transaction has changed is committed when it returns`() throws {
        let connection = try file.connection()
        let count = try connection.inTransaction(.immediate) {
            try connection.insert(1)
            #expect(connection.isInTransaction)
            return try connection.count()
        }
        #expect(count == 1)
        #expect(!connection.isInTransaction)
        #expect(try SQLiteConnection(file.path).count() == 1)
    }

    @Test func `an error rolls a transaction back`() throws {
        let connection = try file.connection()
        #expect(throws: Failure.self) {
            try connection.inTransaction(.immediate) {
                try connection.insert(1)
                throw Failure()
            }
        }
        #expect(try connection.count() == 0)
        #expect(!connection.isInTransaction)
    }

    @Test func `a transaction whose commit fails is rolled back`() throws {
        let connection = try file.connection()
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
        let connection = try file.connection()
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
        let connection = try file.connection()
        let found = code {
            try connection.inTransaction(.immediate) {
                try connection.insert(1)
                try connection.inTransaction(.immediate) { try connection.insert(2) }
            }
        }
        #expect(found == .error)
        #expect(try connection.count() == 0)
    }

    @Test func `a transaction fails at the deadline while another connection writes, and succeeds afterwards`() throws {
        let (connection, other) = (try file.connection(), try SQLiteConnection(file.path))
        try other.execute("BEGIN IMMEDIATE")
        connection.busyDeadline = .now + .milliseconds(20)
        let start = ContinuousClock.now
        #expect(code { try connection.inTransaction(.immediate) { try connection.insert(1) } } == .busy)
        #expect(ContinuousClock.now >= connection.busyDeadline)
        #expect(ContinuousClock.now - start < .seconds(30))
        try other.execute("COMMIT")
        try connection.inTransaction(.immediate) { try connection.insert(1) }
        #expect(try other.count() == 1)
    }
}
