import Accounts
import BusinessLogic
import Logging
import Understudy

/// Writes what is logged through swift-log as lines.
struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let label: String
    /// The level of all loggers.
    private let level: AdjustableLevel
    /// The level that was set for this logger; `nil` if it has that of all.
    private var ownLevel: Logger.Level?
    private let style: LogStyle
    private let writer: LogWriter

    init(label: String, level: AdjustableLevel, style: LogStyle, writer: LogWriter) {
        self.label = label
        self.level = level
        self.style = style
        self.writer = writer
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? level.current }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = self.metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
        if let metadata = event.metadata { all.merge(metadata) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        writer.write(line(event, all, style))
        guard event.level >= .error else { return }
        let text = line(event, all, LogStyle(format: .text))
        // The text format has no date.
        let day = SystemClock().now.text.prefix(11)
        writer.errors.add("\(day)\(String(decoding: text.bytes.bytes, as: UTF8.self).dropLast())")
    }

    private func line(_ event: LogEvent, _ metadata: Logger.Metadata, _ style: LogStyle) -> LogLines {
        var line = LogLines(style.format)
        line.begin(LogHead(event.level, label: label, message: "\(event.message)", style))
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) { line.add(name, value) }
        line.end()
        return line
    }
}
