/// The behaviour of every outbox.
public enum OutboxSuite {
    /// An outbox as two nodes use it, and their clock.
    package struct Subject: Sendable {
        package let clock: ManualClock
        /// The outbox of one node.
        let outbox: DatabaseOutbox
        /// The outbox of another node with the same mails.
        let other: DatabaseOutbox
        let database: any SQLDatabase

        /// Nodes with one database.
        package init(_ database: any SQLDatabase, _ other: any SQLDatabase) {
            self.database = database
            clock = ManualClock()
            outbox = DatabaseOutbox(database, clock: clock)
            self.other = DatabaseOutbox(other, clock: clock)
        }

        /// Runs an event that adds mails, and commits it with a version of a session.
        fileprivate func commit(_ version: Int, adding mails: Mail...) async throws -> CommitResult {
            try await database.commit(1, version: version) {
                for mail in mails { try await outbox.add(mail) }
                #expect(try await outbox.summary.waiting == 0)
            }
        }

        /// Adds mails with a second between them.
        fileprivate func add(_ ids: String...) async throws {
            for id in ids {
                try await outbox.add(OutboxSuite.mail(id))
                clock.advance(by: .seconds(1))
            }
        }

        /// Adds the mail `a`, and claims it.
        fileprivate func claim() async throws {
            try await outbox.add(OutboxSuite.mail("a"))
            _ = try await outbox.claim(limit: 1)
        }

        /// Records that a mail cannot be sent.
        fileprivate func fail(_ id: String, _ reason: String = "", retryingAt due: Timestamp? = nil) async throws {
            try await outbox.recordFailure(of: id, reason: reason, retryingAt: due)
        }

        fileprivate var ids: [String] {
            get async throws { try await outbox.mails(after: 0, limit: 99).map(\.mail.id) }
        }
    }

    fileprivate static func mail(_ id: String, expires: Timestamp? = nil) -> Mail {
        Mail(id: id, recipient: "\(id)@example.org", subject: "Hello", text: "Hello!\n", expires: expires)
    }

    /// All behaviours. Check each with an empty outbox.
    package static let behaviours: [Behaviour<Subject>] = adding + sending + operating

    static let adding: [Behaviour<Subject>] = [
        Behaviour("a mail is returned as it was added") { subject in
            let now = subject.clock.now
            let mails = [
                Mail(
                    id: "a\u{1}é",
                    recipient: "ada@example.org",
                    subject: "\u{1}é\u{1F987}",
                    text: "Hello\u{1}!\n",
                    html: "<p>é\u{1}</p>",
                    expires: now + .seconds(600)
                ),
                Mail(recipient: "", subject: "", text: ""),
            ]
            for mail in mails { try await subject.outbox.add(mail) }
            let stored = try await subject.other.mails(after: 0, limit: 9)
            #expect(stored.map(\.mail) == mails)
            #expect(stored.allSatisfy { $0.queued == now && $0.due == now && $0.attempts == 0 && $0.failed == nil })
            #expect(try await subject.other.mail("a\u{1}é") == stored.first)
            #expect(try await subject.other.mail("a") == nil)
            let first = try #require(stored.first)
            #expect(try await subject.outbox.mails(after: first.number, limit: 9) == [stored[1]])
            #expect(try await subject.outbox.mails(after: 0, limit: 1) == [first])
        },
        Behaviour("a mail whose ID waits already is not added") { subject in
            try await subject.outbox.add(mail("a"))
            try await subject.outbox.add(Mail(id: "a", recipient: "other@example.org", subject: "", text: ""))
            #expect(try await subject.outbox.mails(after: 0, limit: 9).map(\.mail) == [mail("a")])
        },
        Behaviour("a mail that is too long is not added") { subject in
            let text = "é".repeated(Mail.maximumSize / 2)
            try await subject.outbox.add(Mail(id: "a", recipient: "", subject: "", text: text))
            let tooLong = [
                Mail(id: "b", recipient: "a", subject: "", text: text),
                Mail(id: "b".repeated(Mail.maximumIDLength + 1), recipient: "", subject: "", text: ""),
            ]
            for mail in tooLong { await #expect(throws: MailTooLong()) { try await subject.outbox.add(mail) } }
            #expect(try await subject.ids == ["a"])
        },
        Behaviour("an event's mails are added by its commit, and an event that fails adds none") { subject in
            let additions = Tally()
            subject.outbox.onAddition { additions.add() }
            #expect(try await subject.commit(0, adding: mail("a"), mail("b")) == .committed)
            #expect(try await subject.ids == ["a", "b"])
            #expect(additions.count == 2)
            for id in ["a", "b"] { _ = try await subject.outbox.discard(id) }
            #expect(try await subject.commit(7, adding: mail("c")) == .conflict)
            #expect(try await subject.ids == [])
            #expect(additions.count == 2)
            try await subject.outbox.add(mail("d"))
            #expect(additions.count == 3)
        },
    ]

    static let sending: [Behaviour<Subject>] = [
        Behaviour("mails are claimed once, those that are due first") { subject in
            try await subject.add("a", "b", "c")
            let first = try await subject.outbox.claim(limit: 2)
            #expect(first.map(\.mail.id).sorted() == ["a", "b"])
            #expect(first.allSatisfy { $0.attempts == 1 && $0.isClaimed(at: subject.clock.now) })
            #expect(try await subject.other.claim(limit: 9).map(\.mail) == [mail("c")])
            #expect(try await subject.other.claim(limit: 9) == [])
            #expect(try await subject.outbox.summary.waiting == 3)
        },
        Behaviour("two nodes that claim at the same time get each mail once") { subject in
            for number in 0..<40 { try await subject.outbox.add(mail("\(number)")) }
            let claimed = try await concurrently(4) { number in
                let node = number.isMultiple(of: 2) ? subject.outbox : subject.other
                var ids: [String] = []
                while case let mails = try await node.claim(limit: 3), !mails.isEmpty { ids += mails.map(\.mail.id) }
                return ids
            }
            #expect(claimed.joined().sorted() == (0..<40).map { "\($0)" }.sorted())
        },
        Behaviour("a mail whose node has crashed can be claimed again, as another attempt") { subject in
            try await subject.outbox.add(mail("a"))
            #expect(try await subject.outbox.claim(limit: 1).count == 1)
            subject.clock.advance(by: OutboxMail.claimDuration - .milliseconds(1))
            #expect(try await subject.other.claim(limit: 1) == [])
            subject.clock.advance(by: .milliseconds(1))
            let again = try await subject.other.claim(limit: 1)
            #expect(again.map(\.mail) == [mail("a")])
            #expect(again.map(\.attempts) == [2])
        },
        Behaviour("a released mail can be claimed at once, and the attempt does not count") { subject in
            try await subject.claim()
            for _ in 1...2 { try await subject.outbox.release("a") }
            #expect(try await subject.other.claim(limit: 1).map(\.attempts) == [1])
        },
        Behaviour("a delivered mail is gone") { subject in
            try await subject.claim()
            let queued = subject.clock.now
            try await subject.add("b")
            for _ in 1...2 { try await subject.outbox.recordDelivery(of: "a") }
            #expect(try await subject.ids == ["b"])
            #expect(try await subject.outbox.summary == OutboxSummary(waiting: 1, oldest: queued))
        },
        Behaviour("a postponed mail is due at its time") { subject in
            try await subject.claim()
            let due = subject.clock.now + .seconds(60)
            try await subject.fail("a", "busy", retryingAt: due)
            let stored = try await subject.other.mail("a")
            #expect(stored?.due == due)
            #expect(stored?.reason == "busy")
            #expect(stored?.claimedUntil == nil)
            subject.clock.advance(by: .seconds(59))
            #expect(try await subject.other.claim(limit: 1) == [])
            subject.clock.advance(by: .seconds(1))
            #expect(try await subject.other.claim(limit: 1).map(\.attempts) == [2])
        },
        Behaviour("times of a clock that was ahead delay no mail") { subject in
            try await subject.add("a", "b")
            let claimed = try await subject.outbox.claim(limit: 1)
            let due = subject.clock.now + .seconds(3_600)
            for mail in try await subject.outbox.claim(limit: 1) {
                try await subject.fail(mail.mail.id, retryingAt: due)
            }
            #expect(claimed.count == 1)
            subject.clock.set(by: .seconds(-86_400))
            #expect(try await subject.other.claim(limit: 9).map(\.mail.id).sorted() == ["a", "b"])
        },
    ]

    static let operating: [Behaviour<Subject>] = [
        Behaviour("a mail that has failed stays, and is not claimed") { subject in
            try await subject.claim()
            try await subject.fail("a", "no such user\u{1}")
            let failed = subject.clock.now
            subject.clock.advance(by: .seconds(86_400))
            #expect(try await subject.other.claim(limit: 1) == [])
            // Of a node whose claim has ended.
            try await subject.other.recordFailure(of: "a", reason: "busy", retryingAt: subject.clock.now)
            let stored = try await subject.other.mail("a")
            #expect(stored?.failed == failed)
            #expect(stored?.reason == "no such user\u{1}")
            #expect(try await subject.outbox.summary == OutboxSummary(failed: 1))
        },
        Behaviour("a mail that has failed can be retried, and is then like a new one") { subject in
            try await subject.claim()
            try await subject.fail("a", "no such user")
            subject.clock.advance(by: .seconds(86_400))
            #expect(try await subject.other.retry("a"))
            let stored = try await subject.outbox.mail("a")
            #expect(stored?.queued == subject.clock.now)
            #expect(stored?.failed == nil)
            #expect(try await subject.outbox.claim(limit: 1).map(\.attempts) == [1])
        },
        Behaviour("a mail that waits for its next attempt can be retried, and one that is being sent cannot") {
            subject in
            try await subject.claim()
            #expect(try await !subject.other.retry("a"))
            try await subject.fail("a", "busy", retryingAt: subject.clock.now + .seconds(3_600))
            #expect(try await subject.other.retry("a"))
            #expect(try await subject.outbox.claim(limit: 1).map(\.mail) == [mail("a")])
        },
        Behaviour("neither a mail that has expired nor an unknown one can be retried") { subject in
            try await subject.outbox.add(mail("a", expires: subject.clock.now + .seconds(600)))
            #expect(try await subject.other.retry("a"))
            subject.clock.advance(by: .seconds(600))
            #expect(try await !subject.other.retry("a"))
            #expect(try await !subject.other.retry("b"))
        },
        Behaviour("a discarded mail is gone") { subject in
            try await subject.outbox.add(mail("a"))
            #expect(try await subject.other.discard("a"))
            #expect(try await !subject.other.discard("a"))
            #expect(try await subject.ids == [])
            #expect(try await subject.outbox.summary == OutboxSummary())
        },
        Behaviour("the summary has the mail that waits longest") { subject in
            let start = subject.clock.now
            try await subject.add("a", "b", "c")
            #expect(try await subject.outbox.summary == OutboxSummary(waiting: 3, oldest: start))
            try await subject.fail("a")
            let expected = OutboxSummary(waiting: 2, failed: 1, oldest: start + .seconds(1))
            #expect(try await subject.outbox.summary == expected)
        },
        Behaviour("mails that have failed before a time are removed") { subject in
            for id in ["a", "b", "c"] {
                try await subject.outbox.add(mail(id))
                if id != "c" { try await subject.fail(id) }
                subject.clock.advance(by: .seconds(1))
            }
            try await subject.outbox.removeFailed(before: subject.clock.now - .seconds(3), keeping: 9)
            #expect(try await subject.ids == ["b", "c"])
        },
        Behaviour("if too many mails have failed, those that failed first are removed") { subject in
            try await subject.add("a", "b", "c", "d")
            for id in ["c", "a", "b"] {
                try await subject.fail(id)
                subject.clock.advance(by: .seconds(1))
            }
            try await subject.outbox.removeFailed(before: .ms(0), keeping: 2)
            #expect(try await subject.ids == ["a", "b", "d"])
            try await subject.outbox.removeFailed(before: .ms(0), keeping: 0)
            #expect(try await subject.ids == ["d"])
        },
    ]
}
