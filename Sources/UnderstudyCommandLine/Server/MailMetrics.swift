import Accounts
import BusinessLogic
import CoreMetrics
import Synchronization
import Understudy

/// The metrics of mails, and the hint for operators if they are not sent.
final class MailMetrics: Sendable {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_mails_sent_total": "Mails that the mail server has accepted.",
        "understudy_mail_failures_total":
            "Attempts to send a mail that have failed, by kind (temporary or permanent).",
        "understudy_mails_expired_total": "Mails that were not sent because they had expired.",
        "understudy_mails_waiting": "Mails that wait to be sent.",
        "understudy_mails_failed": "Mails that have failed for good.",
        "understudy_oldest_mail_seconds": "How long the oldest of the mails that wait has waited; 0 if none waits.",
    ]

    /// From which age of the oldest mail on there is a hint.
    private static let longestWait: Duration = .seconds(600)

    let sent, expired: Counter
    private let temporary, permanent: Counter
    private let waiting, failed, oldest: Meter
    private let clock: any WallClock
    private let current = Mutex(OutboxSummary())

    /// - Parameter clock: the clock of the process.
    init(factory: any MetricsFactory, clock: any WallClock) {
        self.clock = clock
        func counter(_ name: String, _ dimensions: [(String, String)] = []) -> Counter {
            Counter(label: name, dimensions: dimensions, factory: factory)
        }
        sent = counter("understudy_mails_sent_total")
        expired = counter("understudy_mails_expired_total")
        temporary = counter("understudy_mail_failures_total", [("kind", "temporary")])
        permanent = counter("understudy_mail_failures_total", [("kind", "permanent")])
        waiting = Meter(label: "understudy_mails_waiting", factory: factory)
        failed = Meter(label: "understudy_mails_failed", factory: factory)
        oldest = Meter(label: "understudy_oldest_mail_seconds", factory: factory)
    }

    /// The mails in the outbox when they were last counted.
    var summary: OutboxSummary {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Counts an attempt that has failed.
    func count(_ error: MailError) {
        (error.isTemporary ? temporary : permanent).increment()
    }

    /// Updates the metrics that are measured, not counted.
    func update() {
        let summary = summary
        waiting.set(summary.waiting)
        failed.set(summary.failed)
        oldest.set(age(summary) / .seconds(1))
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
}
