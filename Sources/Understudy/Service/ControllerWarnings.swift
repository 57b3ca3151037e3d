import BusinessLogic
import Logging
import Synchronization
import UnderstudyPages

/// Logs once for each thing that the controllers of pages do without effect or without declaring it.
final class ControllerWarnings: Sendable {
    private let known = Mutex<Set<String>>([])

    /// The maximum number of lines in the log: a controller could choose keys by what a client sends.
    private static let limit = 256

    func report(_ uses: [UndeclaredUse], of event: Event, on page: Page, _ logger: Logger) {
        for use in uses {
            var (message, names) = ("A controller used what its event does not declare", "\(page.name) \(event.name)")
            var metadata: Logger.Metadata = ["page": "\(page.name)", "event": "\(event.name)"]
            if case .late = use {
                (message, names) = ("A controller gave a command when it handled no event, which is dropped", page.name)
                metadata["event"] = nil
            }
            guard isNew("\(names) \(use.subject.clipped)") else { continue }
            // Without the explanation, which contains values.
            metadata["use"] = "\(use.subject.clipped)"
            logger.warning("\(message)", metadata: metadata)
        }
    }

    /// Logs that the controllers of a session, which are those of these pages, follow more topics than a session can.
    func reportTopics(count: Int, of pages: [Page], _ logger: Logger) {
        let names = pages.map(\.name).joined(separator: ", ")
        guard isNew("topics \(names)") else { return }
        logger.warning(
            "The controllers of a session follow too many topics: publications of the last ones do not wake its waiting requests",
            metadata: ["pages": "\(names)", "topics": "\(count)", "maximum": "\(UpdateProgress.maximumTopics)"]
        )
    }

    private func isNew(_ key: String) -> Bool { known.withLock { $0.count < Self.limit && $0.insert(key).inserted } }
}
