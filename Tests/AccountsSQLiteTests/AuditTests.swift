import AccountStoreSuite
import AccountsSQLite
import Testing

@Suite struct SQLiteAuditTests {
    private let folder = TemporaryFolder()

    @Test(arguments: AuditLogSuite.behaviours)
    func `an audit log in a file of SQLite conforms`(_ behaviour: Behaviour<AuditLogSuite.Subject>) async throws {
        let path = folder.file()
        let (one, other) = (try SQLiteDatabase(path: path), try SQLiteDatabase(path: path))
        let connection = try OtherConnection(path)
        try await behaviour.check(AuditLogSuite.Subject(one, other) { try await connection.execute($0) })
    }
}
