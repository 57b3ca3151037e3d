import Synchronization

/// The last errors in the log, for operators. Any number of tasks may use it at the same time.
final class RecentErrors: Sendable {
    /// The number of errors that are kept.
    private static let maximum = 10
    /// The number of characters that are kept of one.
    private static let maximumLength = 1000

    private let errors = Mutex<[String]>([])

    /// The lines, the oldest first.
    var lines: [String] { errors.withLock { $0 } }

    /// Adds a line, in place of the oldest one if there are ten.
    func add(_ line: String) {
        errors.withLock { errors in
            if errors.count == Self.maximum { errors.removeFirst() }
            errors.append(String(line.prefix(Self.maximumLength)))
        }
    }
}
