import BusinessLogic
import Logging
import Synchronization
import UnderstudyPages

/// Logs once for each command or field that an event of a page uses without declaring it.
final class UndeclaredUses: Sendable {
    private let known = Mutex<Set<String>>([])

    /// The maximum number of lines in the log: a controller could choose keys by what a client sends.
    private static let limit = 256

    /// Logs the uses that have not been logged yet.
    func report(_ uses: [UndeclaredUse], of event: Event, on page: Page, _ logger: Logger) {
        for use in uses {
            let key = "\(page.name) \(event.name) \(use.subject.clipped)"
            let isNew = known.withLock { $0.count < Self.limit && $0.insert(key).inserted }
            guard isNew else { continue }
            // Without the explanation, which contains values.
            logger.warning(
                "A controller used what its event does not declare",
                metadata: ["page": "\(page.name)", "event": "\(event.name)", "use": "\(use.subject.clipped)"]
            )
        }
    }
}
