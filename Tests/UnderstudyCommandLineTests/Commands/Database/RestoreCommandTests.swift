import Foundation
import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized) struct `Damaged and replaced files` {
    private let workplace: Workplace
    private let file: URL

    init() async throws {
        workplace = try Workplace()
        file = workplace.folder.appendingPathComponent("understudy.sqlite")
        try await workplace.add()
    }

    /// Damages pages of tables that follow most definitions of the tables, and precede the last ones.
    private func damage(_ file: URL) throws {
        var bytes = try Data(contentsOf: file)
        for index in 30 * 4096..<40 * 4096 { bytes[index] = 0xFF }
        try bytes.write(to: file)
    }

    @Test func `a damaged file is reported, is not backed up, and is replaced by a backup`() async throws {
        let backup = workplace.folder.path + "/backup.sqlite"
        #expect(try await workplace.run("backup", backup).status == 0)
        try damage(file)
        let status = try await workplace.run("database", "status")
        #expect(status.status == 1)
        #expect(status.output.first == "*** in database main ***")
        #expect(status.errors == ["error: The database '\(file.path)' is damaged: restore a backup."])

        let other = workplace.folder.path + "/other.sqlite"
        let failed = try await workplace.run("backup", other)
        failed.expect(status: 1, output: [])
        // The command may notice the damage when it opens the database, or when it checks the copy.
        let error = "the database '\(file.path)' is damaged; restore a backup with 'restore FILE'"
        #expect(failed.errors.count == 1 && failed.errors.first?.contains(error) == true, "\(failed.errors)")
        #expect(!FileManager.default.fileExists(atPath: other))

        let restored = try await workplace.run("restore", backup)
        #expect(restored.status == 0)
        #expect(restored.output.first == "\(file.path): restored from \(backup)")
        #expect(restored.output.last?.hasPrefix("the replaced database is \(file.path).replaced-") == true)
        #expect(try await workplace.run("database", "status").status == 0)
        #expect(try await workplace.run("account", "show", "bruce@example.com").status == 0)
        let records = try await workplace.auditRecords()
        #expect(records.last?.contains(#""event":"databaseRestored","reason":"\#(backup)""#) == true)
    }

    @Test func `no file is restored while a server uses the database`() async throws {
        let backup = workplace.folder.path + "/backup.sqlite"
        #expect(try await workplace.run("backup", backup).status == 0)
        try await withServer(environment: workplace.environment) { program, _ async throws in
            let result = try await workplace.run("restore", backup)
            result.expect(status: 1, output: [])
            let error = "error: another process (\(program.id)) uses the database '\(file.path)'; stop it first"
            #expect(result.errors == [error])
            program.send(SIGKILL)
            #expect(await program.result().status != 0)
            #expect(try await workplace.run("restore", backup).status == 0)
        }
    }

    @Test func `without traffic, a server notices that its file is gone, and when it is back`() async throws {
        let workplace = try Workplace()
        let file = workplace.folder.appendingPathComponent("understudy.sqlite")
        try await workplace.withServer([]) { ports, _ in
            let ready = { try await HTTPTestClient.request("GET", "/readyz", port: ports.users) }
            #expect(try await ready().status == 200)
            let elsewhere = file.path + ".elsewhere"
            try FileManager.default.moveItem(atPath: file.path, toPath: elsewhere)
            #expect(try await eventually { try await ready().status == 503 })
            #expect(try await ready().text.contains(#""part":"database""#))
            let metrics = try await HTTPTestClient.request("GET", "/metrics", port: ports.operators)
            #expect(metrics.text.contains("\nunderstudy_ready 0"))
            let status = try await workplace.run("status", "--admin-port", "\(ports.operators)")
            #expect(status.status == 1)
            #expect(status.output.first?.contains("not ready: The database cannot be reached or written.") == true)
            #expect(status.output.contains { $0.contains("was moved or deleted") })
            try FileManager.default.moveItem(atPath: elsewhere, toPath: file.path)
            #expect(try await eventually { try await ready().status == 200 })
        }
    }
}
