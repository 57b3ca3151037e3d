import Foundation

/// The behaviour of every audit log in a database.
public enum AuditLogSuite {
    /// A database as two processes use it.
    package struct Subject: Sendable {
        let database: any SQLDatabase
        let log: any AuditLog
        let otherLog: any AuditLog
        /// Executes statements as another program.
        let execute: @Sendable (_ sql: String) async throws -> Void
        /// A service that records in the log.
        let service: AccountService
        let clock = ManualClock()
        /// The events that are reported as recorded, and those that could not be recorded.
        let reports = LockedValue((recorded: [AuditEvent](), failed: [AuditEvent]()))

        init(_ databases: Databases) throws {
            database = databases.one
            execute = databases.execute
            let logs = [databases.one, databases.other].map { [reports] database in
                DatabaseAuditLog(database) { event in
                    reports.change { $0.recorded.append(event) }
                } onError: { event, _ in
                    reports.change { $0.failed.append(event) }
                }
            }
            (log, otherLog) = (logs[0], logs[1])
            service = AccountService(
                database,
                hasher: try PasswordHasher(cost: Argon2Cost(memory: 8, iterations: 1)),
                clock: clock,
                audit: log
            )
        }

        fileprivate var recorded: [AuditEvent] { reports.value.recorded }
        fileprivate var failed: [AuditEvent] { reports.value.failed }

        fileprivate func records(of account: AccountID? = nil, since time: Timestamp? = nil) async throws
            -> [StoredAuditRecord]
        {
            var records: [StoredAuditRecord] = []
            try await database.forEachAuditRecord(of: account, since: time) { records.append($0) }
            return records
        }

        fileprivate var lines: [String] { get async throws { try await records().map { $0.line.text } } }

        /// What a verification finds.
        fileprivate func verify() async throws -> Findings {
            var chain = AuditChain()
            var faults: [Int] = []
            for record in try await records() where chain.add(record) != nil { faults.append(record.number) }
            return Findings(chain.validCount, chain.isWithoutBeginning ? [0] + faults : faults)
        }

        /// An event that adds an account, before its commit.
        fileprivate func addingAda() async throws -> UnitOfWork {
            try await database.working { try await service.add([ada]) }
        }

        /// Adds records with the times 0, 1, … milliseconds.
        fileprivate func add(_ count: Int) async {
            for number in 0..<count { await log.record(AuditLogSuite.event(Int64(number))) }
        }

        /// Deletes records as another program.
        fileprivate func delete(_ condition: String) async throws {
            try await execute("DELETE FROM audit_record WHERE \(condition)")
        }

        /// Deletes the records before a time in milliseconds.
        fileprivate func prune(_ time: Int64) async throws -> Int {
            try await database.pruneAuditRecords(before: .ms(time)) { reason in
                AuditEvent(.auditPruned, at: .ms(1_000), reason: reason, operatorName: "marge")
            }
        }
    }

    /// The number of valid records, and the numbers of the others; 0 for a missing beginning.
    fileprivate struct Findings: Equatable {
        let valid: Int
        let faults: [Int]

        init(_ valid: Int, _ faults: [Int] = []) {
            self.valid = valid
            self.faults = faults
        }
    }

    static let ada = Account.ada

    static func event(_ milliseconds: Int64, account: AccountID? = nil, reason: String? = nil) -> AuditEvent {
        AuditEvent(.login, at: .ms(milliseconds), account: account, reason: reason)
    }

    /// All behaviours. Check each with an empty database.
    package static let behaviours: [Behaviour<Subject>] = recording + committing + verifying + pruning

    static let recording: [Behaviour<Subject>] = [
        Behaviour("the records of a whole history are a chain, and each is reported once") { subject async throws in
            let service = subject.service
            func step() { subject.clock.advance(by: .milliseconds(1_001)) }
            var account = ada
            account.passwordHash = try await service.hash("correct horse")
            try await service.add([account, .bob])
            step()
            let client = ClientContext(address: nil, requestID: "r-1\u{0}\"\n")
            for password in ["wrong", "correct horse"] {
                _ = try await service.authenticate(username: ada.username, password: password, for: client)
                step()
            }
            for isDisabled in [true, false] { _ = try await service.setDisabled(isDisabled, ada.id) }
            _ = try await service.changeRoles(of: ada.id, adding: ["admin"])
            _ = try await service.delete(ada.id)
            await OperatorLog(log: subject.log).record(event(7))
            let events = subject.recorded
            #expect(events.count == 9)
            var lines: [String] = []
            for (event, record) in zip(events, try await subject.records()) {
                let previous = lines.isEmpty ? nil : try await subject.records()[lines.count - 1].hash
                lines.append(event.json(after: previous))
                #expect(record.line == lines[lines.count - 1].bytes)
            }
            #expect(try await subject.verify() == Findings(9))
            #expect(subject.failed == [])
        },
        Behaviour("records that processes add at the same time are one chain") { subject async throws in
            try await concurrently(40) { number in
                let log = number.isMultiple(of: 2) ? subject.log : subject.otherLog
                await log.record(event(0, reason: "\(number)"))
            }
            #expect(try await subject.verify() == Findings(40))
            #expect(Set(try await subject.lines.map { $0.split(separator: "\"reason\":").last }).count == 40)
            #expect(subject.failed == [])
        },
        Behaviour("records are selected by their account and their time") { subject async throws in
            await subject.log.record(event(1, account: ada.id))
            await subject.log.record(event(2))
            await subject.log.record(event(3, account: ada.id))
            await subject.log.record(event(4, account: AccountID("\u{1}é")))
            func times(_ account: AccountID? = nil, _ time: Int64? = nil) async throws -> [Int64] {
                try await subject.records(of: account, since: time.map { Timestamp.ms($0) })
                    .map(\.time.milliseconds)
            }
            #expect(try await times() == [1, 2, 3, 4])
            #expect(try await times(ada.id) == [1, 3])
            #expect(try await times(nil, 3) == [3, 4])
            #expect(try await times(ada.id, 2) == [3])
            #expect(try await times(AccountID("\u{1}é")) == [4])
        },
        Behaviour("a record that cannot be written is reported, and the caller continues") { subject async throws in
            try await subject.execute("DROP TABLE audit_record")
            await subject.log.record(event(0))
            #expect(subject.failed == [event(0)])
            #expect(subject.recorded == [])
        },
        Behaviour("a caller that is cancelled loses no record") { subject async throws in
            let log = subject.log
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await log.record(event(0))
            }.value
            #expect(try await subject.lines.count == 1)
        },
    ]

    static let committing: [Behaviour<Subject>] = [
        Behaviour("the changes of an event and their records are one transaction") { subject async throws in
            let work = try await subject.addingAda()
            #expect(try await subject.lines == [])
            #expect(subject.recorded == [])
            try await subject.database.commit(work)
            #expect(try await subject.lines.count == 1)
            #expect(subject.recorded.map(\.kind) == [.accountAdded])
            #expect(try await subject.database.account(ada.id) == ada)
        },
        Behaviour("changes that are not committed leave no record") { subject async throws in
            let work = try await subject.addingAda()
            try await subject.database.add([ada])
            await #expect(throws: AccountConflict.self) { try await subject.database.commit(work) }
            let change = try await subject.database.working { _ = try await subject.service.setDisabled(true, ada.id) }
            _ = try await subject.database.remove(ada.id)
            await #expect(throws: DataHaveChanged.self) { try await subject.database.commit(change) }
            #expect(try await subject.lines == [])
        },
        Behaviour("a change whose record cannot be written is not made") { subject async throws in
            let work = try await subject.addingAda()
            try await subject.execute("DROP TABLE audit_record")
            await #expect(throws: CollaboratorError.self) { try await subject.database.commit(work) }
            #expect(try await subject.database.account(ada.id) == nil)
            #expect(subject.recorded == [])
        },
        Behaviour("a failed login is recorded although its event is not committed") { subject async throws in
            _ = try await subject.database.working {
                _ = try await subject.service.authenticate(username: "ada", password: "wrong", for: ClientContext())
            }
            #expect(try await subject.lines.first?.contains(#""event":"loginFailed","reason":"unknownUser""#) == true)
        },
        Behaviour("thousands of records of one transaction are a chain, which is read in parts") {
            subject async throws in
            let work = try await subject.database.working {
                for number in 0..<2_001 { await subject.log.recordAtCommit(event(Int64(number))) }
            }
            try await subject.database.commit(work)
            #expect(try await subject.verify() == Findings(2_001))
            #expect(try await subject.prune(1_500) == 1_500)
            #expect(try await subject.verify() == Findings(502))
        },
    ]

    /// What another program does with the third of five records, and which records are not valid after it.
    static let tampering: [Behaviour<Subject>] = [
        ("removed", "DELETE FROM audit_record WHERE number = 3", [4]),
        (
            "changed",
            "UPDATE audit_record SET line = (SELECT line FROM audit_record WHERE number = 2) WHERE number = 3", [3, 4]
        ),
        ("moved", "UPDATE audit_record SET number = 100 WHERE number = 3", [4, 100]),
    ].map { change, sql, faults in
        Behaviour("a record that was \(change) is found") { subject async throws in
            await subject.add(5)
            try await subject.execute(sql)
            #expect(try await subject.verify().faults == faults)
        }
    }

    static let verifying: [Behaviour<Subject>] =
        tampering + [
            Behaviour("records that were removed at the beginning are found") { subject async throws in
                await subject.add(5)
                try await subject.delete("number < 3")
                #expect(try await subject.verify() == Findings(3, [0]))
                // Another deletion does not explain it.
                #expect(try await subject.prune(3) == 1)
                #expect(try await subject.verify() == Findings(3))
                try await subject.delete("number < 5")
                #expect(try await subject.verify() == Findings(2, [0]))
            },
            Behaviour("a column that was changed is found") { subject async throws in
                for _ in 0..<3 { await subject.log.record(event(0, account: ada.id)) }
                try await subject.execute("UPDATE audit_record SET time = time + 1 WHERE number = 2")
                try await subject.execute("UPDATE audit_record SET account_id = NULL WHERE number = 3")
                #expect(try await subject.verify().faults == [2, 3])
            },
        ]

    static let pruning: [Behaviour<Subject>] = [
        Behaviour("old records are deleted, this is recorded, and the others are a chain") { subject async throws in
            await subject.add(5)
            let before = try await subject.lines
            let removed = try await subject.records()[2].hash
            #expect(try await subject.prune(3) == 3)
            let lines = try await subject.lines
            #expect(lines.dropLast() == before.suffix(2))
            #expect(
                lines.last?.contains(
                    #""event":"auditPruned","reason":"before=1970-01-01T00:00:00.003Z last=\#(removed)","operator":"marge""#
                ) == true
            )
            #expect(try await subject.verify() == Findings(3))
            await subject.add(1)
            #expect(try await subject.verify() == Findings(4))
        },
        Behaviour("if no record is old, nothing is deleted; if all are, only the record of their deletion remains") {
            subject async throws in
            #expect(try await subject.prune(3) == 0)
            await subject.add(2)
            #expect(try await subject.prune(0) == 0)
            #expect(try await subject.lines.count == 2)
            #expect(try await subject.prune(9) == 2)
            #expect(try await subject.verify() == Findings(1))
            await subject.add(1)
            #expect(try await subject.verify() == Findings(2))
        },
        Behaviour("a deletion that was interrupted leaves a chain") { subject async throws in
            await subject.add(5)
            let last = try await subject.records()[2].hash
            let reason = "before=1970-01-01T00:00:00.003Z last=\(last)"
            await subject.log.record(AuditEvent(.auditPruned, at: .ms(9), reason: reason))
            try await subject.delete("number < 3")
            #expect(try await subject.verify() == Findings(4))
            try await subject.delete("number = 3")
            #expect(try await subject.verify() == Findings(3))
            try await subject.delete("number = 4")
            #expect(try await subject.verify() == Findings(2, [0]))
        },
        Behaviour("a record with an older time stays if it follows one that stays") { subject async throws in
            for time: Int64 in [1, 5, 2] { await subject.log.record(event(time)) }
            #expect(try await subject.prune(3) == 1)
            #expect(try await subject.records().map(\.time.milliseconds) == [5, 2, 1_000])
            #expect(try await subject.verify() == Findings(3))
        },
    ]
}

/// An audit log that names an operator with characters that JSON escapes.
private struct OperatorLog: AuditLog {
    let log: any AuditLog

    func record(_ event: AuditEvent) async {
        var event = event
        event.operatorName = "marge \"\\\n\u{0}é"
        await log.record(event)
    }
}
