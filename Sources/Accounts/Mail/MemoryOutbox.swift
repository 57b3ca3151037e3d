public import BusinessLogic
import SessionStorage
import Synchronization

/// Keeps the mails of tests and demonstrations in memory, and sends none. It is never unavailable.
///
/// It keeps the last 1,000 mails.
public final class MemoryOutbox: Outbox {
    private static let maximumMails = 1_000

    private let clock: any WallClock
    private let receive: @Sendable (Mail) -> Void
    private let additions = Notifier()
    private let kept = Mutex<[(mail: Mail, time: Timestamp)]>([])

    /// Creates an empty outbox.
    ///
    /// - Parameters:
    ///   - clock: the clock of the process.
    ///   - receive: is called with each mail that was added. It must not block.
    public init(clock: any WallClock, receiving receive: @escaping @Sendable (Mail) -> Void = { _ in }) {
        self.clock = clock
        self.receive = receive
    }

    /// The mails, most recent last.
    public var mails: [Mail] { added.map(\.mail) }

    /// The mails, most recent last, with the times at which they were added.
    package var added: [(mail: Mail, time: Timestamp)] { kept.withLock { $0 } }

    /// A function that makes the outbox contain what it contains now.
    package func saved() -> @Sendable () -> Void {
        let saved = added
        return { [self] in
            kept.withLock { $0 = saved }
            additions.notify()
        }
    }

    /// Calls `action` whenever a mail was added. It stays registered, and must not block.
    package func onAddition(_ action: @escaping @Sendable () -> Void) { additions.add(action) }

    public func add(_ mail: Mail) async throws {
        try mail.requireSize()
        UnitOfWork.afterCommit { [self] in
            let now = clock.now
            // It must not be sent, and was added so that the work is the same as for one that is sent.
            if let expires = mail.expires, expires <= now { return }
            kept.withLock { kept in
                kept.append((mail, now))
                kept.removeFirst(max(0, kept.count - Self.maximumMails))
            }
            receive(mail)
            additions.notify()
        }
    }
}
