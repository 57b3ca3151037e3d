public import BusinessLogic
internal import SessionStorage
internal import Synchronization

/// An outbox in memory, for tests and demonstrations. Its mails end with it. It is never unavailable.
///
/// It keeps the last 1,000 mails that were sent, and at most 1,000 others. If there are more, the oldest are lost.
public final class MemoryOutbox: Outbox {
    private struct Contents {
        var mails: [OutboxMail] = []
        var delivered: [OutboxMail] = []
        var last = 0
    }

    private static let maximumMails = 1_000

    private let clock: any WallClock
    private let contents = Mutex(Contents())
    private let additions = MailAdditions()

    /// Creates an empty outbox.
    ///
    /// - Parameter clock: the clock by which mails are due.
    public init(clock: any WallClock) {
        self.clock = clock
    }

    /// All mails, in the order of their addition: those that wait, that were sent, and that have failed.
    public var mails: [Mail] {
        contents.withLock { ($0.mails + $0.delivered).sorted { $0.number < $1.number }.map(\.mail) }
    }

    /// The same mails, most recent last, with the times at which they were added.
    package var added: [(mail: Mail, time: Timestamp)] {
        contents.withLock { ($0.mails + $0.delivered).sorted { $0.number < $1.number }.map { ($0.mail, $0.queued) } }
    }

    /// The mails that were sent, in the order in which the mail server has accepted them.
    public var deliveredMails: [Mail] { contents.withLock { $0.delivered.map(\.mail) } }

    /// A function that makes the outbox contain what it contains now.
    package func saved() -> @Sendable () -> Void {
        let saved = contents.withLock { $0 }
        return { [self] in
            contents.withLock { $0 = saved }
            additions.notify()
        }
    }

    public func add(_ mail: Mail) async throws {
        try mail.requireSize()
        UnitOfWork.afterCommit { [self] in insert(mail) }
    }

    private func insert(_ mail: Mail) {
        let now = clock.now
        if let expires = mail.expires, expires <= now { return }
        contents.withLock { contents in
            guard !contents.mails.contains(where: { $0.mail.id == mail.id }) else { return }
            contents.last += 1
            contents.mails.append(OutboxMail(mail: mail, number: contents.last, queued: now))
            contents.mails.removeFirst(max(0, contents.mails.count - Self.maximumMails))
        }
        additions.notify()
    }
}

extension MemoryOutbox: OutboxStore {
    package func claim(limit: Int) async throws -> [OutboxMail] {
        let now = clock.now
        return contents.withLock { contents in
            let due = contents.mails.indices.filter { contents.mails[$0].isClaimable(at: now) }
                .sorted { contents.mails[$0].due < contents.mails[$1].due }
            return due.prefix(max(1, limit)).map { index in
                contents.mails[index].attempts += 1
                contents.mails[index].claimedUntil = now + OutboxMail.claimDuration
                return contents.mails[index]
            }
        }
    }

    package func release(_ id: String) async throws {
        change(id) { mail in
            guard mail.claimedUntil != nil else { return }
            mail.claimedUntil = nil
            mail.attempts -= 1
        }
    }

    package func recordDelivery(of id: String) async throws {
        contents.withLock { contents in
            guard let index = contents.mails.firstIndex(where: { $0.mail.id == id }) else { return }
            contents.delivered.append(contents.mails.remove(at: index))
            contents.delivered.removeFirst(max(0, contents.delivered.count - Self.maximumMails))
        }
    }

    package func recordFailure(of id: String, reason: String, retryingAt due: Timestamp?) async throws {
        let now = clock.now
        change(id) { mail in
            guard mail.failed == nil else { return }
            mail.claimedUntil = nil
            mail.reason = reason
            mail.failed = due == nil ? now : nil
            mail.due = due ?? mail.due
        }
    }

    package func mail(_ id: String) async throws -> OutboxMail? {
        contents.withLock { $0.mails.first { $0.mail.id == id } }
    }

    package func mails(after number: Int, limit: Int) async throws -> [OutboxMail] {
        contents.withLock { Array($0.mails.filter { $0.number > number }.prefix(max(1, limit))) }
    }

    package func retry(_ id: String) async throws -> Bool {
        let now = clock.now
        return change(id) { mail in
            guard !mail.hasExpired(at: now), !mail.isClaimed(at: now) else { return false }
            (mail.queued, mail.due, mail.attempts) = (now, now, 0)
            (mail.claimedUntil, mail.failed) = (nil, nil)
            return true
        } ?? false
    }

    package func discard(_ id: String) async throws -> Bool {
        contents.withLock { contents in
            let count = contents.mails.count
            contents.mails.removeAll { $0.mail.id == id }
            return contents.mails.count < count
        }
    }

    package var summary: OutboxSummary {
        get async throws {
            contents.withLock { contents in
                let waiting = contents.mails.filter { $0.failed == nil }
                return OutboxSummary(
                    waiting: waiting.count,
                    failed: contents.mails.count - waiting.count,
                    oldest: waiting.map(\.queued).min()
                )
            }
        }
    }

    package func removeFailed(before time: Timestamp, keeping maximum: Int) async throws {
        contents.withLock { contents in
            contents.mails.removeAll { $0.failed.map { $0 <= time } ?? false }
            let failed = contents.mails.compactMap { mail in mail.failed.map { (time: $0, number: mail.number) } }
            let excess = failed.sorted { $0 < $1 }.dropLast(maximum).map(\.number)
            contents.mails.removeAll { excess.contains($0.number) }
        }
    }

    package func onAddition(_ action: @escaping @Sendable () -> Void) { additions.onAddition(action) }

    /// Changes a mail; returns `nil` if there is no such mail.
    @discardableResult
    private func change<Result: Sendable>(_ id: String, _ change: @Sendable (inout OutboxMail) -> Result) -> Result? {
        contents.withLock { contents in
            guard let index = contents.mails.firstIndex(where: { $0.mail.id == id }) else { return nil }
            return change(&contents.mails[index])
        }
    }
}
