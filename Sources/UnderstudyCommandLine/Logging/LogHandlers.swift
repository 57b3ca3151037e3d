import Accounts
import BusinessLogic
import HTTPMessages
import Logging
import Understudy

/// Writes a line of the access log for each request: the fast way, without swift-log.
final class LineAccessLog: AccessLogHandler {
    private let writer: LogWriter
    private let requestHead, probeHead, rejectionHead: LogHead

    init(_ writer: LogWriter) {
        func head(_ level: Logger.Level, _ message: String) -> LogHead {
            LogHead(level, label: "understudy.access", message: message, writer.style)
        }
        self.writer = writer
        requestHead = head(.info, "Request")
        probeHead = head(.debug, "Request")
        rejectionHead = head(.info, "Rejected")
    }

    func log(_ entry: borrowing AccessLogEntry) {
        guard writer.level <= (entry.isProbe ? .debug : .info) else { return }
        let head = entry.isRejection ? rejectionHead : entry.isProbe ? probeHead : requestHead
        writer.append(to: entry.request.eventLoop) { lines in
            lines.begin(head)
            entry.add(to: &lines)
            lines.end()
        }
    }
}

/// Writes what is logged through swift-log as lines.
struct LineLogHandler: LogHandler {
    let label: String
    let writer: LogWriter
    var metadataProvider: Logger.MetadataProvider?
    var metadata: Logger.Metadata = [:]
    /// The level that was set for this logger; `nil` if it has that of all.
    var ownLevel: Logger.Level?

    var logLevel: Logger.Level {
        get { ownLevel ?? writer.level }
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
        writer.write(line(event, all, writer.style))
        guard event.level >= .error else { return }
        let text = line(event, all, LogStyle(format: .text))
        // The text format has no date.
        let day = SystemClock().now.text.prefix(11)
        writer.keep(error: "\(day)\(String(decoding: text.bytes.bytes, as: UTF8.self).dropLast())")
    }

    private func line(_ event: LogEvent, _ metadata: Logger.Metadata, _ style: LogStyle) -> LogLines {
        var line = LogLines(style.format)
        line.begin(LogHead(event.level, label: label, message: "\(event.message)", style))
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) { line.add(name, value) }
        line.end()
        return line
    }
}
