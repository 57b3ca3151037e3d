package import Accounts
package import BusinessLogic
import SessionStorage

/// The outbox of all processes that use a database: each mail is sent by one of them.
///
/// Its methods may be called from any number of tasks at the same time. When a method returns, its changes are durable. If the database
/// is temporarily unavailable, its methods throw ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
package struct DatabaseOutbox: Outbox {
    private let database: any SQLDatabase
    private let clock: any WallClock
    private let additions = Notifier()

    /// - Parameter clock: the clock of this process, by which mails are due.
    package init(_ database: any SQLDatabase, clock: any WallClock) {
        self.database = database
        self.clock = clock
    }

    package func add(_ mail: Mail) async throws {
        try mail.requireSize()
        let insertion = MailTable.insert(
            mail.id,
            mail.recipient,
            mail.subject,
            mail.text,
            mail.html,
            mail.expires,
            clock.now
        )
        try await database.writeAtCommit(of: .mail, [insertion])
        UnitOfWork.afterCommit(additions.notify)
    }

    /// Claims at most `limit` mails that are due. No other call returns them for ``OutboxMail/claimDuration``, or until their outcome is
    /// recorded. Their attempts include this one.
    package func claim(limit: Int) async throws -> [OutboxMail] {
        let now = clock.now
        let isDue = try await database.read(MailTable.isDue(now), of: .mail) { try $0.first?.boolean(0) }
        guard isDue == true else { return [] }
        return try await database.write(of: .mail) { db in
            try db.execute(MailTable.claim(now, max(1, limit))).map(MailTable.mail)
        }
    }

    /// Ends the claim of a mail that was not sent. The attempt does not count.
    package func release(_ id: String) async throws { try await write(MailTable.release(id)) }

    /// Removes a mail that the mail server has accepted.
    package func recordDelivery(of id: String) async throws { try await write(MailTable.delete(id)) }

    /// Records why a mail could not be sent, without addresses, and when to try again; `nil` if the mail has failed for good.
    package func recordFailure(of id: String, reason: String, retryingAt due: Timestamp?) async throws {
        try await write(MailTable.recordFailure(id, reason, due, due == nil ? clock.now : nil))
    }

    /// The mail with that ID that waits or has failed; `nil` if there is no such mail.
    package func mail(_ id: String) async throws -> OutboxMail? {
        try await database.read(MailTable.select(id), of: .mail) { try $0.first.map(MailTable.mail) }
    }

    /// Mails that wait or have failed, in the order of their addition: those after a number, which is 0 for the first mails.
    package func mails(after number: Int, limit: Int) async throws -> [OutboxMail] {
        try await database.read(MailTable.selectAfter(number, max(1, limit)), of: .mail) {
            try $0.map(MailTable.mail)
        }
    }

    /// Makes a mail due, as if it had just been added. Returns `false`, and changes nothing, if there is no such mail, it has expired, or a
    /// server sends it at the moment.
    package func retry(_ id: String) async throws -> Bool { try await returnsRow(MailTable.retry(clock.now, id)) }

    /// Removes a mail without sending it. Returns `false` if there is no such mail.
    package func discard(_ id: String) async throws -> Bool { try await returnsRow(MailTable.delete(id)) }

    package var summary: OutboxSummary {
        get async throws {
            try await database.read(MailTable.summarize(), of: .mail) {
                try $0.first.map(MailTable.summary) ?? OutboxSummary()
            }
        }
    }

    /// Removes the mails that have failed at a time or before, and those that failed first if there are more than `maximum`.
    package func removeFailed(before time: Timestamp, keeping maximum: Int) async throws {
        try await database.write(of: .mail, [MailTable.deleteOld(time), MailTable.deleteExcess(maximum)])
    }

    /// Calls `action` whenever this process has added a mail. It stays registered, and must not block.
    package func onAddition(_ action: @escaping @Sendable () -> Void) { additions.add(action) }

    private func write(_ step: SQLStep) async throws { try await database.write(of: .mail, [step]) }

    private func returnsRow(_ step: SQLStep) async throws -> Bool {
        try await database.write(of: .mail) { try !$0.execute(step).isEmpty }
    }
}
