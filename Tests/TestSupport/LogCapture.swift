/// Records the lines of a log.
package final class LogCapture: Sendable {
    /// A line of the log.
    package struct Line: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: [String: String]

        package subscript(key: String) -> String? { metadata[key] }
    }

    let log = LockedValue<[Line]>([])
    let additions = Tally()

    package init() {}

    package var lines: [Line] { log.value }

    /// Returns as soon as that message has been logged.
    package func wait(for message: String) async {
        while true {
            let count = additions.count
            if lines.contains(where: { $0.message == message }) { return }
            await additions.reaches(count + 1)
        }
    }

    func append(_ line: Line) {
        log.append(line)
        additions.add()
    }

    /// A logger of level trace that writes to this object.
    package var logger: Logger { Logger(label: "test") { _ in Handler(capture: self) } }

    struct Handler: LogHandler {
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
