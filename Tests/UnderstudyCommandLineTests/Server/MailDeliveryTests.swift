import ServiceLifecycle

@testable import UnderstudyCommandLine

@Suite(.fiveMinutes, .serialized) struct MailDeliveryTests {
    let workplace = Workplace()

    let clock = ManualClock()
    let log = LogCapture()
    let metrics = PrometheusRegistry()

    let mail = Mail(id: "a", recipient: "ada@example.org", subject: "Hello", text: "Hello!\n")

    func mail(_ id: String, expires: Timestamp? = nil) -> Mail {
        Mail(id: id, recipient: "", subject: "", text: "", expires: expires)
    }

    /// An outbox in memory.
    let outbox: DatabaseOutbox

    init() throws { outbox = DatabaseOutbox(try SQLiteDatabase.inMemory(), clock: clock) }

    /// Sends the mails of an outbox while `body` runs.
    func sending(
        _ mailer: some Mailer,
        of other: DatabaseOutbox? = nil,
        clock: (any WallClock)? = nil,
        drain: Duration = .seconds(60),
        interval: Duration = .milliseconds(10),
        _ body: (MailDelivery) async throws -> Void
    ) async throws {
        let clock = clock ?? self.clock
        let delivery = MailDelivery(
            outbox: other ?? outbox,
            mailer: mailer,
            clock: clock,
            interval: interval,
            drain: drain,
            logger: log.logger
        )
        metrics.collect { delivery.samples }
        let group = ServiceGroup(services: [delivery], logger: .silent)
        async let run: Void = group.run()
        do { try await body(delivery) } catch {
            await group.triggerGracefulShutdown()
            try await run
            throw error
        }
        await group.triggerGracefulShutdown()
        try await run
    }

    // MARK: Sending

    @Test func `a mail is sent as soon as it is added, and counted`() async throws {
        let mailer = MailerDouble()
        try await sending(mailer, interval: .seconds(3_600)) { delivery async throws in
            for number in 1...9 {
                try await outbox.add(mail("\(number)"))
                try await until { mailer.ids.count == number }
            }
            try await until { delivery.summary == OutboxSummary() }
        }
        #expect(mailer.ids == (1...9).map { "\($0)" })
        #expect(metrics.value("understudy_mails_sent_total") == 9)
        #expect(log.texts.isEmpty)
    }

    @Test func `at most four mails are sent at the same time`() async throws {
        let latch = Latch()
        let mailer = MailerDouble { _ in await latch.wait() }
        for number in 1...20 { try await outbox.add(mail("\(number)")) }
        try await sending(mailer) { delivery async throws in
            try await until { latch.arrivals.count == 4 }
            try await until { delivery.summary.waiting == 20 }
            #expect(latch.arrivals.count == 4)
            latch.open()
            try await untilEmpty()
        }
        #expect(mailer.ids.count == 20)
    }

    // MARK: Failures

    @Test func `a mail that cannot be sent is tried for 24 hours, with pauses that grow to an hour`() async throws {
        let mailer = MailerDouble(failing: .temporary("450 4.2.1 <ada@\u{301}example.org>: try later"))
        try await outbox.add(mail)
        var pauses: [Duration] = []
        try await sending(mailer) { _ async throws in
            for attempt in 1...29 {
                let stored = try await untilStored { $0.attempts == attempt && $0.claimedUntil == nil }
                #expect(stored.reason == "450 4.2.1 (address) try later")
                #expect(mailer.ids.count == attempt)
                let pause = Duration.milliseconds(stored.due.milliseconds(since: clock.now))
                pauses.append(pause)
                clock.advance(by: pause)
            }
            #expect(try await untilStored { $0.failed != nil }.attempts == 30)
            clock.advance(by: .seconds(86_400))
        }
        for (pause, minutes) in zip(pauses, [1, 2, 4, 8, 16, 32] + Array(repeating: 60, count: 23)) {
            let whole = Duration.seconds(60 * minutes)
            #expect((whole...whole * 1.1).contains(pause))
        }
        #expect(pauses.reduce(.zero, +) > .seconds(86_400))
        #expect(mailer.ids.count == 30)
        #expect(metrics.value(#"understudy_mail_failures_total{kind="temporary"}"#) == 30)
        #expect(
            log.texts == [
                "A mail cannot be sent at the moment: attempts=1 mail=a reason=450 4.2.1 (address) try later",
                "A mail has failed: attempts=30 mail=a reason=450 4.2.1 (address) try later",
            ]
        )
    }

    @Test func `a mail that the mail server rejects has failed at once, until an operator retries it`() async throws {
        let mailer = MailerDouble(failing: .permanent("550 5.1.1 no such user"))
        try await outbox.add(mail)
        try await sending(mailer) { delivery async throws in
            #expect(try await untilStored { $0.failed != nil }.reason == "550 5.1.1 no such user")
            try await until { delivery.summary == OutboxSummary(failed: 1) }
            #expect(metrics.value("understudy_mails_failed") == 1)
            mailer.failure.value = nil
            #expect(try await outbox.retry("a"))
            try await untilEmpty()
        }
        #expect(mailer.ids == ["a", "a"])
        #expect(metrics.value(#"understudy_mail_failures_total{kind="permanent"}"#) == 1)
    }

    @Test func `a log line says once that mails cannot be sent, and once that they are sent again`() async throws {
        let mailer = MailerDouble(failing: .temporary("refused"))
        for id in ["a", "b"] { try await outbox.add(mail(id)) }
        try await sending(mailer) { _ async throws in
            for _ in 1...2 {
                let hasTried = { @Sendable (mail: OutboxMail) in mail.claimedUntil == nil && mail.attempts > 0 }
                #expect(try await eventually { try await outbox.mails(after: 0, limit: 9).allSatisfy(hasTried) })
                clock.advance(by: .seconds(7_200 - 1))
            }
            mailer.failure.value = nil
            clock.advance(by: .seconds(3_600))
            try await untilEmpty()
        }
        #expect(log.lines.map(\.message) == ["A mail cannot be sent at the moment", "Mails are sent again"])
    }

    @Test func `a mail that has expired is not sent, and removed`() async throws {
        let mailer = MailerDouble()
        let expires = clock.now + .seconds(600)
        try await outbox.add(mail("a", expires: expires))
        clock.advance(by: .seconds(600))
        try await sending(mailer) { _ async throws in
            try await untilEmpty()
            #expect(mailer.ids.isEmpty)
            mailer.failure.value = .temporary("refused")
            // It expires before the second attempt.
            try await outbox.add(mail("b", expires: clock.now + .seconds(59)))
            try await untilEmpty()
        }
        #expect(mailer.ids == ["b"])
        #expect(metrics.value("understudy_mails_expired_total") == 2)
    }

    @Test func `mails that have failed are removed after 30 days`() async throws {
        try await outbox.add(mail)
        try await outbox.recordFailure(of: "a", reason: "", retryingAt: nil)
        try await sending(MailerDouble()) { delivery async throws in
            try await until { delivery.summary.failed == 1 }
            clock.advance(by: .seconds(30 * 86_400))
            try await until { delivery.summary.failed == 0 }
        }
    }

    // MARK: Tests that control the server

    @Test func `a reset removes the mails in memory`() async throws {
        let outbox = MemoryOutbox(clock: clock)
        let reset = DataReset(try SQLiteDatabase.inMemory(), outbox, LastRevocation(), AccountRateLimits())
        try await reset.remember()
        for id in ["a", "b"] { try await outbox.add(mail(id)) }
        try await reset.restoreStart()
        #expect(outbox.mails.isEmpty)
    }

    @Test func `a clock that jumps makes mails due at once`() async throws {
        let clock = AdvanceableClock(clock)
        let other = DatabaseOutbox(try SQLiteDatabase.inMemory(), clock: clock)
        let mailer = MailerDouble(failing: .temporary("refused"))
        try await other.add(mail)
        try await sending(mailer, of: other, clock: clock, interval: .seconds(3_600)) { _ async throws in
            for attempt in 1...5 {
                try await untilStored(in: other) { $0.attempts == attempt && $0.claimedUntil == nil }
                #expect(clock.advance(by: .seconds(3_600)))
            }
            try await untilStored(in: other) { $0.attempts == 6 && $0.claimedUntil == nil }
        }
        #expect(mailer.ids.count == 6)
    }

    @Test func `a mail that is being sent is not sent again while the clock jumps`() async throws {
        let latch = Latch()
        let mailer = MailerDouble { _ in await latch.wait() }
        try await outbox.add(mail)
        try await sending(mailer) { _ async throws in
            try await until { latch.arrivals.count == 1 }
            clock.advance(by: OutboxMail.claimDuration)
            try await untilStored { $0.attempts == 2 }
            latch.open()
            try await untilEmpty()
        }
        #expect(mailer.ids == ["a"])
    }

    // MARK: Stopping

    @Test func `a graceful stop waits for the mails that are being sent`() async throws {
        let latch = Latch()
        let mailer = MailerDouble { _ throws(MailError) in
            await withGracefulShutdownHandler {
                await latch.wait()
            } onGracefulShutdown: {
                latch.open()
            }
            // As a mailer that stops when it is cancelled.
            if Task.isCancelled { throw .temporary("cancelled") }
        }
        try await outbox.add(mail)
        try await sending(mailer) { _ async throws in
            try await until { latch.arrivals.count == 1 }
        }
        #expect(mailer.mails == [mail])
        #expect(try await outbox.summary == OutboxSummary())
    }

    @Test func `a graceful stop gives a mail back that is not sent in time`() async throws {
        let latch = Latch()
        let mailer = MailerDouble { _ throws(MailError) in
            _ = Task { await latch.wait() }
            do { try await Task.sleep(for: .seconds(3_600)) } catch { throw .temporary("cancelled") }
        }
        try await outbox.add(mail)
        try await sending(mailer, drain: .milliseconds(10)) { _ async throws in
            try await until { latch.arrivals.count == 1 }
        }
        let stored = try #require(await outbox.mail("a"))
        #expect(stored.claimedUntil == nil)
        #expect(stored.attempts == 0)
        #expect(metrics.value(#"understudy_mail_failures_total{kind="temporary"}"#) == 0)
    }

    // MARK: The outbox is not available

    @Test func `a mail is sent once, even if its delivery cannot be recorded at first`() async throws {
        let failures = LockedValue(0)
        let database = try SQLiteDatabase(path: workplace.database) { _ in failures.change { $0 += 1 } }
        let stored = DatabaseOutbox(database, clock: clock)
        let mailer = MailerDouble()
        try await stored.add(mail)
        let other = try SQLiteConnection(workplace.database, busyDeadline: .now + .seconds(60))
        try other.execute("CREATE TRIGGER broken BEFORE DELETE ON mail BEGIN SELECT RAISE(ABORT, 'broken'); END")
        try await sending(mailer, of: stored) { _ async throws in
            try await until { failures.value > 0 }
            try other.execute("DROP TRIGGER broken")
            try await until { try await stored.summary == OutboxSummary() }
        }
        #expect(mailer.ids == ["a"])
    }

    // MARK: Hints

    @Test func `metrics and a hint report mails that wait for long`() async throws {
        let delivery = MailDelivery(
            outbox: outbox,
            mailer: MailerDouble(),
            clock: clock,
            drain: .zero,
            logger: log.logger
        )
        metrics.collect { delivery.samples }
        #expect(delivery.hint == nil)
        delivery.summary = OutboxSummary(waiting: 3, failed: 2, oldest: clock.now)
        clock.advance(by: .seconds(599))
        #expect(delivery.hint == nil)
        clock.advance(by: .seconds(61))
        #expect(delivery.hint == "mail: 3 waiting, the oldest for 11 minutes")
        #expect(metrics.value("understudy_mails_waiting") == 3)
        #expect(metrics.value("understudy_mails_failed") == 2)
        #expect(metrics.value("understudy_oldest_mail_seconds") == 660)
        delivery.summary = OutboxSummary(failed: 2)
        #expect(delivery.hint == nil)
        #expect(metrics.value("understudy_oldest_mail_seconds") == 0)
    }

    func until(_ condition: () async throws -> Bool) async throws {
        try #require(await eventually { try await condition() })
    }

    func untilEmpty() async throws { try #require(await eventually { try await outbox.summary == OutboxSummary() }) }

    /// Waits until the mail `a` is as expected, and returns it.
    @discardableResult
    func untilStored(in other: DatabaseOutbox? = nil, _ isExpected: (OutboxMail) -> Bool) async throws -> OutboxMail {
        let outbox = other ?? outbox
        try await until { try await outbox.mail("a").map(isExpected) ?? false }
        return try #require(await outbox.mail("a"))
    }
}

/// A mailer that remembers what it was asked to send.
private final class MailerDouble: Mailer {
    let received = LockedValue<[Mail]>([])
    /// What it throws; `nil` for nothing.
    let failure: LockedValue<MailError?>
    let body: @Sendable (Mail) async throws(MailError) -> Void

    /// - Parameter body: is called for each mail, after it was remembered.
    init(
        failing failure: MailError? = nil,
        _ body: @escaping @Sendable (Mail) async throws(MailError) -> Void = { _ in }
    ) {
        self.failure = LockedValue(failure)
        self.body = body
    }

    var mails: [Mail] { received.value }
    var ids: [String] { mails.map(\.id) }

    func send(_ mail: Mail) async throws(MailError) {
        received.append(mail)
        if let failure = failure.value { throw failure }
        try await body(mail)
    }
}
