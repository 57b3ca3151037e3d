package import Accounts
package import BusinessLogic

package struct OutboxMail: Equatable, Sendable {
    /// How long a claim lasts: longer than a mailer takes.
    package static let claimDuration: Duration = .seconds(300)
    /// A claim or a pause that ends later is from a clock that was ahead.
    static let longestPause: Duration = .seconds(7_200)

    package let mail: Mail
    /// The place in the order of additions, from 1.
    package let number: Int
    /// When the mail was added, or an operator has last had it sent again.
    package let queued: Timestamp
    /// How often a server has tried to send it since then.
    package let attempts: Int
    /// When a server may send it.
    package let due: Timestamp
    /// When the claim of a server ends; `nil` if the mail is not claimed.
    package let claimedUntil: Timestamp?
    /// When it has failed for good; `nil` if it waits.
    package let failed: Timestamp?
    /// Why the last attempt has failed, without addresses; `nil` if none has.
    package let reason: String?

    /// Whether a server sends it.
    package func isClaimed(at now: Timestamp) -> Bool {
        claimedUntil.map { now < $0 && $0 <= now + Self.longestPause } ?? false
    }

    package func hasExpired(at now: Timestamp) -> Bool { mail.expires.map { $0 <= now } ?? false }
}

package struct OutboxSummary: Equatable, Sendable {
    /// Mails that wait to be sent, or are being sent.
    package var waiting = 0
    /// Mails that have failed for good.
    package var failed = 0
    /// When the mail that waits longest was added; `nil` if none waits.
    package var oldest: Timestamp?

    package init(waiting: Int = 0, failed: Int = 0, oldest: Timestamp? = nil) {
        self.waiting = waiting
        self.failed = failed
        self.oldest = oldest
    }
}
