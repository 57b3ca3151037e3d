/// An empty database, as two processes and another program use it.
package struct Databases: Sendable {
    /// The objects of the processes.
    package let one: any SQLDatabase
    package let other: any SQLDatabase
    /// Executes statements as another program.
    package let execute: @Sendable (_ sql: String) async throws -> Void

    package init(
        _ one: any SQLDatabase,
        _ other: any SQLDatabase,
        execute: @escaping @Sendable (_ sql: String) async throws -> Void
    ) {
        self.one = one
        self.other = other
        self.execute = execute
    }

    var processes: [SharedTopicsSuite.Process] { [one, other].map { SharedTopicsSuite.Process($0) } }

    /// What every database does.
    package static let behaviours: [Behaviour<Databases>] = [
        each(AccountStoreSuite.behaviours) { $0.one },
        each(DeviceStoreSuite.behaviours) { $0.one },
        each(ThrottleStoreSuite.behaviours) { $0.one },
        each(OutboxSuite.behaviours) { OutboxSuite.Subject($0.one, $0.other) },
        each(AuditLogSuite.behaviours) { try AuditLogSuite.Subject($0) },
        each(SessionStoreSuite.behaviours + SessionStoreSuite.sharedBehaviours) { $0.one.sessions { 0 } },
        each(SessionLimitSuite.behaviours) { SessionLimitSuite.Subject($0.one.sessions { 0 }) },
        each(UnitOfWorkSuite.behaviours) { $0.one },
        each(DatabaseSuite.behaviours) { [$0.one, $0.other] },
        each(SharedTopicsSuite.behaviours + PageStoreSuite.behaviours) { $0.processes },
        each(PageStoreSuite.storeBehaviours) { databases in
            try await databases.one.migratePages(PageStoreSuite.migrations)
            return PageDatabase(databases.one, topics: DatabaseTopics(databases.one, Topics(), clock: ManualClock()))
        },
    ].flatMap { $0 }

    /// The behaviours of what a function makes of the databases.
    static func each<Subject>(
        _ behaviours: [Behaviour<Subject>],
        _ subject: @escaping @Sendable (Databases) async throws -> Subject
    ) -> [Behaviour<Databases>] {
        behaviours.map { behaviour in
            Behaviour<Databases>(behaviour.testDescription) { try await behaviour.check(subject($0)) }
        }
    }
}
