import Accounts
import AccountsDatabase
import BusinessLogic
import Logging
import ServiceLifecycle
import Synchronization
import Understudy

/// Sends the mails of an outbox, at least once each, while the server runs. Several servers can share an outbox.
///
/// It looks for mails whenever this process adds one or its clock jumps, and otherwise at regular intervals, for mails that other servers have
/// added or that are due again.
final class MailDelivery: Service {
    private struct State {
        /// The IDs of the mails that are being sent.
        var sending: Set<String> = []
        var isStopping = false
        /// Whether the last attempt has failed because no mail could be sent.
        var isFailing = false
        /// When failed mails were last removed, by ``WallClock/steady``.
        var cleaned: Timestamp?
        var sent = 0
        var expired = 0
        var failures = (temporary: 0, permanent: 0)
        /// The mails in the outbox when they were last counted.
        var summary = OutboxSummary()
    }

    private let outbox: DatabaseOutbox
    private let mailer: any Mailer
    private let clock: any WallClock
    private let interval: Duration
    private let drain: Duration
    private let logger: Logger
    private let state = Mutex(State())
    private let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    static let maximumSending = 4
    /// How often a mail is tried, which takes 24 hours with the pauses.
    static let maximumAttempts = 30
    private static let failedLifetime: Duration = .seconds(30 * 86_400)
    /// How many mails that have failed stay: an untrusted client can cause some.
    private static let maximumFailed = 10_000
    private static let cleaningInterval: Duration = .seconds(3_600)
    /// How often an outcome is recorded, once a second, if the outbox is not available.
    private static let maximumRecordings = 60
    /// From which age of the oldest mail on there is a hint.
    private static let longestWait: Duration = .seconds(600)

    /// Run it once. By the clock of the process, mails are due and expire. The service looks for mails after the interval in any case, and a
    /// graceful stop waits as long as `drain` for mails that are being sent.
    init(
        outbox: DatabaseOutbox,
        mailer: any Mailer,
        clock: any WallClock,
        interval: Duration = .seconds(5),
        drain: Duration,
        logger: Logger
    ) {
        (self.outbox, self.mailer, self.clock, self.interval) = (outbox, mailer, clock, interval)
        (self.drain, self.logger) = (drain, logger)
        outbox.onAddition { [waker] in waker.yield() }
        (clock as? AdvanceableClock)?.onAdvance { [waker] in waker.yield() }
    }

    // MARK: Metrics

    var summary: OutboxSummary {
        get { state.withLock(\.summary) }
        set { state.withLock { $0.summary = newValue } }
    }

    var samples: [MetricSample] {
        let state = state.withLock { $0 }
        return [
            .counter("understudy_mails_sent_total", Double(state.sent)),
            .counter("understudy_mails_expired_total", Double(state.expired)),
            .counter("understudy_mail_failures_total", Double(state.failures.temporary), ("kind", "temporary")),
            .counter("understudy_mail_failures_total", Double(state.failures.permanent), ("kind", "permanent")),
            .gauge("understudy_mails_waiting", Double(state.summary.waiting)),
            .gauge("understudy_mails_failed", Double(state.summary.failed)),
            .gauge("understudy_oldest_mail_seconds", age(state.summary) / .seconds(1)),
        ]
    }

    /// What `/readyz` adds if the outbox does not drain; otherwise `nil`.
    var hint: String? {
        let summary = summary
        let age = age(summary)
        guard age >= Self.longestWait else { return nil }
        let minutes = Int(age / .seconds(60))
        return "mail: \(summary.waiting) waiting, the oldest for \(minutes) minutes"
    }

    private func age(_ summary: OutboxSummary) -> Duration {
        .milliseconds(max(0, summary.oldest.map { clock.now.milliseconds(since: $0) } ?? 0))
    }

    // MARK: Running

    func run() async throws {
        await withGracefulShutdownHandler {
            await sendUntilStopped()
        } onGracefulShutdown: { [self] in
            state.withLock { $0.isStopping = true }
            waker.finish()
        }
    }

    private func sendUntilStopped() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.wakeRegularly() }
            for await _ in wakes {
                let mails = await claim()
                for mail in mails { group.addTask { await self.deliver(mail) } }
                await clean()
                await measure()
            }
            await waitUntilSent()
            group.cancelAll()
        }
    }

    private func wakeRegularly() async {
        repeat { waker.yield() } while (try? await Task.sleep(for: interval)) != nil
    }

    /// Claims as many mails as can be sent now. If the outbox is not available, it reports why, and the next call continues.
    private func claim() async -> [OutboxMail] {
        let free = Self.maximumSending - state.withLock(\.sending.count)
        guard free > 0 else { return [] }
        let claimed = (try? await outbox.claim(limit: free)) ?? []
        // If a test advances the clock, a claim ends while its mail is being sent.
        return claimed.filter { mail in state.withLock { $0.sending.insert(mail.mail.id).inserted } }
    }

    private func clean() async {
        let now = clock.steady
        let isDue = state.withLock { $0.cleaned.map { $0 + Self.cleaningInterval <= now } ?? true }
        guard isDue else { return }
        // If the outbox is not available, the next call tries again.
        let oldest = clock.now - Self.failedLifetime
        if (try? await outbox.removeFailed(before: oldest, keeping: Self.maximumFailed)) != nil {
            state.withLock { $0.cleaned = now }
        }
    }

    private func measure() async {
        if let counted = try? await outbox.summary { summary = counted }
    }

    /// Waits for the mails that are being sent, at most for the time of a graceful stop.
    private func waitUntilSent() async {
        let deadline = ContinuousClock.now + drain
        while state.withLock({ !$0.sending.isEmpty }), .now < deadline {
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
        }
    }

    // MARK: One mail

    private func deliver(_ mail: OutboxMail) async {
        await send(mail)
        state.withLock { _ = $0.sending.remove(mail.mail.id) }
        waker.yield()
    }

    private func send(_ mail: OutboxMail) async {
        if mail.hasExpired(at: clock.now) { return await discard(mail) }
        do { try await mailer.send(mail.mail) } catch { return await record(error, of: mail) }
        let wasFailing = state.withLock { state in
            state.sent += 1
            return exchange(&state.isFailing, with: false)
        }
        if wasFailing { logger.notice("Mails are sent again") }
        let id = mail.mail.id
        if await !record({ try await $0.recordDelivery(of: id) }) {
            logger.error(
                "A mail that was sent cannot be removed from the outbox, and is sent again",
                metadata: ["mail": "\(id)"]
            )
        }
    }

    private func record(_ error: MailError, of mail: OutboxMail) async {
        let id = mail.mail.id
        if Task.isCancelled {
            await record { try await $0.release(id) }
            return
        }
        state.withLock { state in
            if error.isTemporary { state.failures.temporary += 1 } else { state.failures.permanent += 1 }
        }
        let reason = error.reason.withoutAddresses
        let due = clock.now + Self.pause(after: mail.attempts)
        let details: Logger.Metadata = ["mail": "\(id)", "attempts": "\(mail.attempts)", "reason": "\(reason)"]
        if !error.isTemporary || mail.attempts >= Self.maximumAttempts {
            logger.warning("A mail has failed", metadata: details)
            await record { try await $0.recordFailure(of: id, reason: reason, retryingAt: nil) }
        } else {
            if state.withLock({ state in !exchange(&state.isFailing, with: true) }) {
                logger.warning("A mail cannot be sent at the moment", metadata: details)
            }
            if mail.hasExpired(at: due) { return await discard(mail) }
            await record { try await $0.recordFailure(of: id, reason: reason, retryingAt: due) }
        }
    }

    /// Removes a mail whose purpose has ended, or will have ended before the next attempt.
    private func discard(_ mail: OutboxMail) async {
        state.withLock { $0.expired += 1 }
        let id = mail.mail.id
        await record { _ = try await $0.discard(id) }
    }

    /// Changes the outbox, also if this task is cancelled, and again if the outbox is not available. Returns `false` if this is not possible.
    /// Then the claim of the mail ends by itself.
    @discardableResult
    private func record(_ change: @escaping @Sendable (DatabaseOutbox) async throws -> Void) async -> Bool {
        let recording = Task { [self] in
            for _ in 0..<Self.maximumRecordings {
                if (try? await change(outbox)) != nil { return true }
                if state.withLock(\.isStopping) { return false }
                try? await Task.sleep(for: .seconds(1))
            }
            return false
        }
        return await recording.value
    }

    /// The pause after a number of attempts: a minute, and twice as long after each further attempt, up to an hour. Each is up to a tenth
    /// longer, so that the mails of an outage are not all sent at the same time.
    static func pause(after attempts: Int) -> Duration {
        let minutes = min(60, 1 << min(max(1, attempts) - 1, 6))
        return .seconds(60 * minutes) + .milliseconds(Int.random(in: 0...6_000 * minutes))
    }
}
