/// What a database reports about itself in each state in which it can be.
package enum HealthSuite {
    /// What fails while a database is in a state.
    package enum Failing: Sendable {
        case nothing, writes, everything
    }

    /// What makes a database report that it is not available.
    package struct Notice: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Events that fail.
        package static let events = Notice(rawValue: 1)
        /// The probe, without any event.
        package static let probe = Notice(rawValue: 2)
    }

    /// Expects that a database is available in the state if events succeed, that it is not if they fail, and that it is available again after it.
    ///
    /// - Parameters:
    ///   - failing: what fails in the state.
    ///   - notice: what makes the database report that it is not available: events and the probe, unless given.
    ///   - begin: begins the state, any number of times, which `end` ends.
    package static func check(
        _ database: some SQLDatabase,
        _ failing: Failing,
        noticedBy notice: Notice = [.events, .probe],
        begin: @Sendable () async throws -> Void,
        end: @Sendable () async throws -> Void
    ) async throws {
        let known = try await write(database)
        #expect(database.health.isAvailable)
        try await begin()
        let failedWrites = try await failures { try await write(database) }
        let failedReads = try await failures { _ = try await database.account(known.id) }
        #expect(failedWrites == (failing == .nothing ? 0 : DatabaseHealth.limit))
        if failing != .writes { #expect(failedReads == failedWrites) }
        #expect(database.health.isAvailable != notice.contains(.events))
        try await end()
        await database.checkHealth()
        try await write(database)
        #expect(try await database.account(known.id) == known)
        #expect(database.health.isAvailable)

        try await begin()
        _ = try await failures { await database.checkHealth() }
        #expect(database.health.isAvailable != notice.contains(.probe))
        try await end()
        await database.checkHealth()
        #expect(database.health.isAvailable)
    }

    /// Writes so much that a full disk rejects it.
    @discardableResult
    package static func write(_ database: some SQLDatabase) async throws -> Account {
        var account = Account.sample(AccountID.random().text)
        account.name = ((0..<100_000).map { _ in UInt8.random(in: 0x20...0x7E) }).text
        try await database.add(account)
        return account
    }

    /// Makes as many calls at the same time as make a database unavailable if they fail, and returns how many fail.
    static func failures(_ call: @escaping @Sendable () async throws -> Void) async throws -> Int {
        try await concurrently(DatabaseHealth.limit) { _ in (try? await call()) == nil }.count { $0 }
    }
}
