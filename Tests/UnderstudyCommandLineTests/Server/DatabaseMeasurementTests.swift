@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(1))) struct DatabaseMeasurementTests {
    @Test func `the metrics are there at the start, and the last backup is one of them`() async throws {
        let workplace = Workplace()
        try await workplace.add()
        try await workplace.run("backup", workplace.path("copy")).expect(status: 0)
        let database = try SQLiteDatabase(path: workplace.database)
        defer { database.close() }
        let registry = PrometheusRegistry(help: ServerMetrics.descriptions)
        let measurement = Task { try await DatabaseMeasurement(database, factory: registry).run() }
        defer { measurement.cancel() }
        func value(_ name: String) -> Double { registry.samples().sum(name) ?? 0 }
        try await waitUntil { value("understudy_last_backup_timestamp_seconds") > 1_700_000_000 }
        #expect(value("understudy_database_bytes") >= 4096)
        // The account, and its backup.
        #expect(value("understudy_audit_records") == 2)
    }
}
