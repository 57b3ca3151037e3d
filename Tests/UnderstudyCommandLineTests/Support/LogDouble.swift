import BusinessLogic
import Logging

/// Collects the lines of a log: messages with their metadata.
final class LogDouble: Sendable {
    private let collected = LockedValue<[String]>([])

    var lines: [String] { collected.value }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(collected: self.collected) }
    }

    private struct Handler: LogHandler {
        let collected: LockedValue<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let members = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            collected.change { $0.append("\(event.message): \(members.joined(separator: " "))") }
        }
    }
}
