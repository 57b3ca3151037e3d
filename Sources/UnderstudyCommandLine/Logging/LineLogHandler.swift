import Foundation
import Logging
import Synchronization

/// Writes log lines to standard error.
struct LineLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: LogFormat
    private let hasColour: Bool

    /// Keeps lines of different threads from mixing: a long line may take several writes.
    private static let output = Mutex(())

    init(label: String, level: Logger.Level, format: LogFormat) {
        self.label = label
        logLevel = level
        self.format = format
        hasColour = Terminal.showsColourOfErrors
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = self.metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
        if let metadata = event.metadata { all.merge(metadata) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        let line = LogLine(
            time: Date(),
            level: event.level,
            label: label,
            message: event.message.description,
            members: all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
        let text = line.text(format, hasColour: hasColour) + "\n"
        Self.output.withLock { _ in Terminal.printProgress(text) }
    }
}
