package import BusinessLogic

/// An outbox that several servers can share: each mail is sent by one of them.
///
/// Its methods may be called from any number of tasks at the same time. When a method returns, its changes are durable. If the store is
/// temporarily unavailable, its methods throw ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
package protocol OutboxStore: Outbox {
    /// Claims mails that are due. No other call returns them for ``OutboxMail/claimDuration``, or until their outcome is recorded.
    ///
    /// - Parameter limit: the maximum number of mails, at least 1.
    /// - Returns: the mails, whose attempts include this one.
    func claim(limit: Int) async throws -> [OutboxMail]

    /// Ends the claim of a mail that was not sent. The attempt does not count.
    func release(_ id: String) async throws

    /// Removes a mail that the mail server has accepted.
    func recordDelivery(of id: String) async throws

    /// Records why a mail could not be sent.
    ///
    /// - Parameters:
    ///   - id: the mail.
    ///   - reason: the reason, without addresses.
    ///   - due: when to try again; `nil` if the mail has failed for good.
    func recordFailure(of id: String, reason: String, retryingAt due: Timestamp?) async throws

    /// The mail with that ID that waits or has failed; `nil` if there is no such mail.
    func mail(_ id: String) async throws -> OutboxMail?

    /// Mails that wait or have failed, in the order of their addition.
    ///
    /// - Parameters:
    ///   - number: the number of the last mail that you know; 0 for the first mails.
    ///   - limit: the maximum number of mails, at least 1.
    func mails(after number: Int, limit: Int) async throws -> [OutboxMail]

    /// Makes a mail due, as if it had just been added.
    ///
    /// - Returns: `false` if there is no such mail, it has expired, or a server sends it at the moment. Then nothing has changed.
    func retry(_ id: String) async throws -> Bool

    /// Removes a mail without sending it.
    ///
    /// - Returns: `false` if there is no such mail.
    func discard(_ id: String) async throws -> Bool

    /// How many mails wait and have failed.
    var summary: OutboxSummary { get async throws }

    /// Removes the mails that have failed at a time or before, and those that failed first if there are more than `maximum`.
    func removeFailed(before time: Timestamp, keeping maximum: Int) async throws

    /// Calls `action` whenever this process has added a mail. It stays registered, and must not block.
    func onAddition(_ action: @escaping @Sendable () -> Void)
}

/// A mail in an outbox.
package struct OutboxMail: Equatable, Sendable {
    /// How long a claim lasts: longer than a mailer takes.
    package static let claimDuration: Duration = .seconds(300)
    /// A claim or a pause that ends later is from a clock that was ahead.
    package static let longestPause: Duration = .seconds(7_200)

    package var mail: Mail
    /// The place in the order of additions, from 1.
    package var number: Int
    /// When the mail was added, or an operator has last had it sent again.
    package var queued: Timestamp
    /// How often a server has tried to send it since then.
    package var attempts = 0
    /// When a server may send it.
    package var due: Timestamp
    /// When the claim of a server ends; `nil` if the mail is not claimed.
    package var claimedUntil: Timestamp?
    /// When it has failed for good; `nil` if it waits.
    package var failed: Timestamp?
    /// Why the last attempt has failed, without addresses; `nil` if none has.
    package var reason: String?

    package init(mail: Mail, number: Int, queued: Timestamp) {
        self.mail = mail
        self.number = number
        self.queued = queued
        due = queued
    }

    /// Whether a server sends it.
    package func isClaimed(at now: Timestamp) -> Bool { claimedUntil.map { Self.isAhead($0, of: now) } ?? false }

    /// Whether a server may claim it.
    package func isClaimable(at now: Timestamp) -> Bool {
        failed == nil && !Self.isAhead(due, of: now) && !isClaimed(at: now)
    }

    /// Whether its purpose has ended.
    package func hasExpired(at now: Timestamp) -> Bool { mail.expires.map { $0 <= now } ?? false }

    private static func isAhead(_ time: Timestamp, of now: Timestamp) -> Bool {
        now < time && time <= now + longestPause
    }
}

/// How many mails are in an outbox.
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
