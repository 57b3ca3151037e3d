@testable import AccountsSQLite

struct `The health of a database` {
    let health = DatabaseHealth()

    func fail(_ operation: DatabaseHealth.Operation, _ count: Int, at time: ContinuousClock.Instant = .now) {
        for _ in 0..<count { health.fail(operation, at: time) }
    }

    @Test func `failures in a row make a database unavailable, and a success makes it available`() {
        for operation in [DatabaseHealth.Operation.read(.sessions), .write(.accounts), .probe] {
            fail(operation, 2)
            #expect(health.isAvailable)
            #expect(health.fail(operation) && !health.isAvailable)
            #expect(!health.fail(operation))
            health.succeed(operation)
            #expect(health.isAvailable && !health.hasFailures)
        }
    }

    @Test func `failures with successes between them change nothing`() {
        for _ in 0..<9 {
            fail(.write(.sessions), 2)
            health.succeed(.write(.sessions))
        }
        #expect(health.isAvailable)
    }

    @Test func `neither reads nor another part prove that writes succeed`() {
        for _ in 0..<3 {
            health.succeed(.read(.sessions))
            health.fail(.write(.sessions))
            health.succeed(.write(.accounts))
        }
        #expect(!health.isAvailable)
    }

    @Test func `the probe clears failures after five seconds without another one`() {
        let start = ContinuousClock.now
        fail(.read(.accounts), 3, at: start)
        health.succeedProbe(at: start + .seconds(4))
        #expect(!health.isAvailable)
        health.succeedProbe(at: start + .seconds(5))
        #expect(health.isAvailable && !health.hasFailures)
    }
}

@Suite(.serialized) struct `The health of a file` {
    let folder = TemporaryFolder()

    @Test func `a deleted file`() async throws {
        let (file, elsewhere) = (folder.database(), folder.database("elsewhere"))
        try await check(.everything) { _ in
            try Files.move(file, to: elsewhere)
        } end: { _ in
            try Files.move(elsewhere, to: file)
        }
    }

    @Test func `a read-only file`() async throws {
        try await check(.writes) { database in
            try await database.withWriter { try $0.execute("PRAGMA query_only = ON") }
        } end: { database in
            try await database.withWriter { try $0.execute("PRAGMA query_only = OFF") }
        }
    }

    @Test func `a file whose permissions are revoked stays usable, because it is open`() async throws {
        let file = folder.database()
        try await check(.nothing, noticedBy: []) { _ in
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        } end: { _ in
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
    }

    @Test func `a file that another process has locked`() async throws {
        let database = try folder.open(busyTimeout: .seconds(1))
        let other = try folder.connect()
        try await HealthSuite.check(database, .writes) {
            try await other.execute("BEGIN EXCLUSIVE")
        } end: {
            try await other.execute("ROLLBACK")
        }
    }

    @Test func `a damaged file`() async throws {
        let (file, whole) = (URL(fileURLWithPath: folder.database()), URL(fileURLWithPath: folder.database("whole")))
        // Overwrites the open file, as `cp` does.
        let overwrite = { @Sendable (bytes: Data) in
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: bytes)
            try handle.close()
        }
        try await check(.writes) { database in
            // Otherwise, what is in the `-wal` stays readable.
            try await database.withWriter { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            let bytes = try Data(contentsOf: file)
            try bytes.write(to: whole)
            try overwrite(Data(repeating: 0xFF, count: bytes.count))
            // The connection forgets what it has read.
            try? await database.probe(size: 0)
        } end: { _ in
            try overwrite(try Data(contentsOf: whole))
        }
    }

    @Test(.ifDisksCanBeMounted) func `a full disk`() async throws {
        let disk = try SmallDisk(folder.database("disk"))
        defer { disk.remove() }
        let database = try SQLiteDatabase(path: disk.path + "/understudy.sqlite")
        defer { database.close() }
        try await HealthSuite.check(database, .writes) {
            try disk.fill()
            // The first ones find room in the `-wal`, which stays as long as it was.
            while (try? await HealthSuite.write(database)) != nil {}
        } end: {
            try disk.empty()
        }
    }

    func check(
        _ failing: HealthSuite.Failing,
        noticedBy notice: HealthSuite.Notice = [.events, .probe],
        begin: @escaping @Sendable (SQLiteDatabase) async throws -> Void,
        end: @escaping @Sendable (SQLiteDatabase) async throws -> Void
    ) async throws {
        let database = try folder.open()
        try await HealthSuite.check(database, failing, noticedBy: notice) {
            try await begin(database)
        } end: {
            try await end(database)
        }
    }
}
