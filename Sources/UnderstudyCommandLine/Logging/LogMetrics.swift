import CoreMetrics
import Synchronization

/// The metrics of the log.
final class LogMetrics: Sendable {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_log_lines_lost_total": "Log lines that were lost because they could not be written fast enough."
    ]

    private let writer: LogWriter
    private let lost: Counter
    private let counted = Mutex(0)

    init(_ writer: LogWriter, factory: any MetricsFactory) {
        self.writer = writer
        lost = Counter(label: "understudy_log_lines_lost_total", factory: factory)
    }

    /// Updates the metrics from the writer's counts.
    func update() {
        counted.withLock { counted in
            let total = writer.lost
            lost.increment(by: total - counted)
            counted = total
        }
    }
}
