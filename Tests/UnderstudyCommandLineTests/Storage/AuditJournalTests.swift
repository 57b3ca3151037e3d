import Accounts
import BusinessLogic
import Foundation
import Synchronization
import Testing

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(1))) struct AuditJournalTests {
    private let workplace: Workplace
    private var chain: String { workplace.folder.path + "/audit-chain" }

    init() throws {
        workplace = try Workplace()
    }

    @Test func `several processes send records to the journal, which continue each other`() async throws {
        let socket = try NotifySocket()
        let logs = try Application.$current.withValue(.bundled) {
            try (0..<2).map { _ in try AuditJournal(path: socket.name, chain: chain) { Issue.record("\($0)") } }
        }
        var verified = AuditChain()
        for number in 0..<4 {
            let event = AuditEvent(.login, at: Timestamp(milliseconds: 0), reason: "\(number)\n")
            await logs[number % 2].record(event)
            let message = await socket.next(containing: #""reason":"\#(number)\n""#)
            #expect(message.dropFirst() == ["PRIORITY=5", "SYSLOG_FACILITY=10", "SYSLOG_IDENTIFIER=understudy-audit"])
            let line = try #require(message.first?.dropFirst("MESSAGE=".count))
            #expect(verified.add(Array(line.utf8)) == nil)
            #expect(logs.map(\.lastHash) == [verified.last, verified.last])
        }
        #expect(verified.validCount == 4)
        #expect(try FileManager.default.attributesOfItem(atPath: chain)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a record that the journal does not accept is reported, and the next one continues the one before`()
        async throws
    {
        let socket = try NotifySocket()
        let errors = Mutex(0)
        let log = try AuditJournal(path: socket.name, chain: nil) { _ in errors.withLock { $0 += 1 } }
        let event = AuditEvent(.login, at: Timestamp(milliseconds: 0))
        await log.record(event)
        let hash = log.lastHash
        #expect(unlink(socket.name) == 0)
        await log.record(event)
        #expect(errors.withLock { $0 } == 1)
        #expect(log.lastHash == hash)
    }

    @Test func `without a journal, a command fails before it changes anything`() async throws {
        guard access("/run/systemd/journal/socket", F_OK) != 0 else { return }
        try await workplace.add()
        let result = try await workplace.run("account", "disable", "bruce@example.com", "--audit-log", "journal")
        #expect(result.status == 1)
        #expect(result.errors.first?.contains("there is no journal of systemd") == true)
        #expect(
            try await workplace.run("account", "show", "bruce@example.com").output.contains("state:         active")
        )
        let verified = try await workplace.run("audit", "verify", "--audit-log", "journal")
        #expect(verified.errors.first?.contains("journalctl --identifier understudy-audit --output cat") == true)
        let export = try await workplace.run("account", "export", "bruce@example.com", "--audit-log", "journal")
        #expect(export.status == 0)
        #expect(export.errors.first?.contains("because they are in the journal") == true)
    }
}
