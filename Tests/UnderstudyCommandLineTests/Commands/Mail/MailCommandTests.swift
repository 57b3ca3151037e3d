import Accounts
import AccountsDatabase
import AccountsPostgreSQL
import AccountsSQLite
import BusinessLogic
import Logging
import PostgreSQL
import PostgreSQLTestSupport
import Testing
import Understudy

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct MailCommandTests {
    private let workplace: Workplace
    private let outbox: any OutboxStore

    init() throws {
        workplace = try Workplace()
        outbox = try SQLiteDatabase(path: workplace.database).outbox(clock: SystemClock())
    }

    /// Adds a mail that waits, one that waits for its next attempt, one that is being sent, one that has expired, and two that have failed,
    /// of which one has expired.
    private func addMails() async throws {
        let now = SystemClock().now
        func add(_ id: String, _ recipient: String = "ada@example.org", expires: Timestamp? = nil) async throws {
            try await outbox.add(
                Mail(id: id, recipient: recipient, subject: "Code 123", text: "Code 123", expires: expires)
            )
        }
        try await add("sending")
        _ = try await outbox.claim(limit: 1)
        try await add("failed", "bob\u{9B}2J@example.org")
        _ = try await outbox.claim(limit: 1)
        try await outbox.recordFailure(of: "failed", reason: "no such \u{9B}user", retryingAt: nil)
        try await add("postponed")
        _ = try await outbox.claim(limit: 1)
        let due = Timestamp(milliseconds: (now.milliseconds / 60_000 + 30) * 60_000)
        try await outbox.recordFailure(of: "postponed", reason: "busy", retryingAt: due)
        try await add("old", expires: now - .seconds(1))
        try await outbox.recordFailure(of: "old", reason: "busy", retryingAt: nil)
        try await add("expired", expires: now - .seconds(1))
        try await add("waiting", expires: now + .seconds(3_600))
    }

    private func ids() async throws -> [String] { try await outbox.mails(after: 0, limit: 99).map(\.mail.id) }

    @Test func `mails are listed in the order of their addition, without their subjects and contents`() async throws {
        try await addMails()
        let list = try await workplace.run("mail", "list")
        list.expect(status: 0, errors: [])
        let rows = list.output.map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }
        #expect(rows.map { $0[0] } == ["ID", "sending", "failed", "postponed", "old", "expired", "waiting"])
        #expect(rows[0] == ["ID", "ADDED", "ATTEMPTS", "RECIPIENT", "STATE"])
        #expect(Array(rows[1].dropFirst(2)) == ["1", "ada@example.org", "sending"])
        #expect(list.output[2].hasSuffix("  1         bob\u{FFFD}2J@example.org        failed: no such \u{FFFD}user"))
        #expect(list.output[3].contains(/ada@example.org           waiting until 20..-..-..T..:..:00Z: busy$/))
        #expect(Array(rows[6].dropFirst(2)) == ["0", "ada@example.org", "waiting"])
        let failed = try await workplace.run("mail", "list", "--failed", "--json")
        #expect(failed.output.count == 2)
        let first = try #require(failed.output.first)
        #expect(first.contains(#""id":"failed","reason":"no such \u009buser","recipient":"bob\u009b2J@example.org""#))
        #expect(first.hasSuffix(#""state":"failed"}"#))
        #expect(!first.contains("due"))
        #expect(!(list.output + failed.output).joined().contains("123"))
    }

    @Test func `a mail is retried by its ID`() async throws {
        try await addMails()
        for id in ["failed", "postponed"] {
            let result = try await workplace.run("mail", "retry", id)
            #expect(result.output == ["A server sends the mail '\(id)' within a few seconds."])
            #expect(result.errors == [])
        }
        #expect(try await outbox.claim(limit: 9).map(\.mail.id).contains("failed"))
        for (id, error) in [
            ("old", "The mail 'old' has expired, and is not sent any more: discard it."),
            ("sending", "A server sends the mail 'sending' at the moment."),
            ("no", "There is no mail 'no' that waits or has failed."),
        ] {
            let result = try await workplace.run("mail", "retry", id)
            result.expect(status: 1, errors: ["error: \(error)"])
        }
    }

    @Test func `all mails that have failed are retried, except those that have expired`() async throws {
        try await addMails()
        #expect(try await workplace.run("mail", "retry", "--all").output == ["retried 1, expired 1"])
        #expect(try await outbox.mail("failed")?.failed == nil)
        #expect(try await outbox.mail("postponed")?.reason == "busy")
        #expect(try await workplace.run("mail", "retry", "--all").output == ["retried 0, expired 1"])
    }

    @Test func `mails are discarded by their ID, or all that have failed`() async throws {
        try await addMails()
        let asked = try await workplace.run("mail", "discard", "waiting")
        #expect(asked.status == 64)
        #expect(asked.errors.first?.contains("add '--yes' to discard the mail") == true)
        let discarded = try await workplace.run("mail", "discard", "waiting", "--yes")
        #expect(discarded.output == ["Discarded the mail 'waiting'."])
        let again = try await workplace.run("mail", "discard", "waiting", "--yes")
        #expect(again.errors == ["error: There is no mail 'waiting' that waits or has failed."])
        #expect(try await workplace.run("mail", "discard", "--all", "--yes").output == ["discarded 2"])
        #expect(try await ids() == ["sending", "postponed", "expired"])
        let records = try await workplace.auditRecords()
        #expect(records.count == 3)
        #expect(records.first?.contains(#""event":"mailDiscarded","reason":"waiting","operator":""#) == true)
    }

    @Test func `the commands change mails in PostgreSQL`() async throws {
        let cluster = try Cluster()
        let database = try await PostgreSQLDatabase.open(PostgreSQLConfiguration(uri: cluster.uri), logger: .silent)
        let outbox = database.outbox(clock: SystemClock())
        for id in ["one", "two"] {
            try await outbox.add(Mail(id: id, recipient: "ada@example.org", subject: "", text: ""))
            try await outbox.recordFailure(of: id, reason: "no", retryingAt: nil)
        }
        await database.close(deadline: .now)
        #expect(try await workplace.run("mail", "retry", "one", "--database", cluster.uri).status == 0)
        let discarded = try await workplace.run("mail", "discard", "--all", "--yes", "--database", cluster.uri)
        #expect(discarded.output == ["discarded 1"])
        let list = try await workplace.run("mail", "list", "--database", cluster.uri)
        #expect(list.errors == [])
        #expect(list.output.count == 2)
        #expect(list.output.last?.hasPrefix("one ") == true)
        #expect(list.output.last?.hasSuffix("ada@example.org           waiting: no") == true)
    }

    @Test func `without a database there are no mails`() async throws {
        let result = try await Workplace().run("mail", "list")
        #expect(result.status == 1)
        #expect(result.errors.first?.hasPrefix("error: There is no database") == true)
    }
}
