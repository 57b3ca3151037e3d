import Logging

/// Keeps what is logged.
final class LogCapture: Sendable {
    /// A line of the log.
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private let captured = Locked<[Line]>([])

    var lines: [Line] { captured.value }

    /// A logger that writes here, whatever the level.
    var logger: Logger {
        Logger(label: "test") { _ in Handler(capture: self) }
    }

    private struct Handler: LogHandler {
        let capture: LogCapture
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            let line = Line(level: event.level, message: event.message.description, metadata: metadata)
            capture.captured.change { $0.append(line) }
        }
    }
}
