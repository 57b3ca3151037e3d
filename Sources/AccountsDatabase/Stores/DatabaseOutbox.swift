package import Accounts
package import BusinessLogic
internal import SessionStorage

/// The outbox of all processes that use a database.
package struct DatabaseOutbox: OutboxStore {
    private let database: any SQLDatabase
    private let clock: any WallClock
    private let additions = MailAdditions()

    package init(_ database: any SQLDatabase, clock: any WallClock) {
        self.database = database
        self.clock = clock
    }

    package func add(_ mail: Mail) async throws {
        try mail.requireSize()
        let addition = MailTable.insert(mail, at: clock.now)
        guard let work = database.unitOfWork else {
            try await write(addition)
            return additions.notify()
        }
        work.add { try $0.execute(addition) }
        UnitOfWork.afterCommit(additions.notify)
    }

    package func claim(limit: Int) async throws -> [OutboxMail] {
        let now = clock.now
        let isDue = try await database.read(MailTable.isDue(at: now), of: .mail) { try $0.first?.boolean(0) }
        guard isDue == true else { return [] }
        return try await database.write(of: .mail) { db in
            try db.execute(MailTable.claim(limit: max(1, limit), at: now)).map(MailTable.mail)
        }
    }

    package func release(_ id: String) async throws { try await write(MailTable.release(id)) }

    package func recordDelivery(of id: String) async throws { try await write(MailTable.delete(id)) }

    package func recordFailure(of id: String, reason: String, retryingAt due: Timestamp?) async throws {
        try await write(
            due.map { MailTable.postpone(id, reason: reason, until: $0) }
                ?? MailTable.fail(id, reason: reason, at: clock.now)
        )
    }

    package func mail(_ id: String) async throws -> OutboxMail? {
        try await database.read(MailTable.select(id), of: .mail) { try $0.first.map(MailTable.mail) }
    }

    package func mails(after number: Int, limit: Int) async throws -> [OutboxMail] {
        try await database.read(MailTable.select(after: number, limit: max(1, limit)), of: .mail) {
            try $0.map(MailTable.mail)
        }
    }

    package func retry(_ id: String) async throws -> Bool {
        try await returnsRow(MailTable.retry(id, at: clock.now))
    }

    package func discard(_ id: String) async throws -> Bool { try await returnsRow(MailTable.delete(id)) }

    package var summary: OutboxSummary {
        get async throws {
            try await database.read(MailTable.summarize(), of: .mail) {
                try $0.first.map(MailTable.summary) ?? OutboxSummary()
            }
        }
    }

    package func removeFailed(before time: Timestamp, keeping maximum: Int) async throws {
        try await database.write(of: .mail, MailTable.deleteFailed(before: time, keeping: maximum))
    }

    package func onAddition(_ action: @escaping @Sendable () -> Void) { additions.onAddition(action) }

    private func write(_ step: SQLStep) async throws {
        try await database.write(of: .mail, [step])
    }

    private func returnsRow(_ step: SQLStep) async throws -> Bool {
        try await database.write(of: .mail) { try !$0.execute(step).isEmpty }
    }
}

extension SQLDatabase {
    /// The outbox of all processes that use the database.
    ///
    /// - Parameter clock: the clock of this process, by which mails are due.
    package func outbox(clock: any WallClock) -> any OutboxStore { DatabaseOutbox(self, clock: clock) }
}
