package import Logging
import BusinessLogic

/// Records the lines of a log.
package final class LogCapture: Sendable {
    /// A line of the log.
    package struct Line: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: [String: String]
    }

    private struct State: Sendable {
        var lines: [Line] = []
        var waiting: [(message: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = LockedValue(State())

    package init() {}

    package var lines: [Line] { state.value.lines }

    /// Returns as soon as that message has been logged.
    package func wait(for message: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.change { state in
                let isThere = state.lines.contains { $0.message == message }
                if !isThere { state.waiting.append((message, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }

    private func append(_ line: Line) {
        let waiting = state.change { state in
            state.lines.append(line)
            let waiting = state.waiting.filter { $0.message == line.message }
            state.waiting.removeAll { $0.message == line.message }
            return waiting.map(\.continuation)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// A logger of level trace that writes to this object.
    package var logger: Logger {
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
            capture.append(Line(level: event.level, message: event.message.description, metadata: metadata))
        }
    }
}
