import Logging
import HTTPMessages
import Understudy

/// Writes a line of the access log for each request: the fast way, without swift-log.
final class LineAccessLog: AccessLogHandler {
    private let writer: LogWriter
    private let level: AdjustableLevel
    private let requestHead, probeHead, rejectionHead: LogHead

    /// - Parameter level: the lowest level that is logged.
    init(_ writer: LogWriter, level: AdjustableLevel, _ style: LogStyle) {
        func head(_ level: Logger.Level, _ message: String) -> LogHead {
            LogHead(level, label: "understudy.access", message: message, style)
        }
        self.writer = writer
        self.level = level
        requestHead = head(.info, "Request")
        probeHead = head(.debug, "Request")
        rejectionHead = head(.info, "Rejected")
    }

    func log(_ entry: borrowing AccessLogEntry) {
        guard level.current <= (entry.isProbe ? .debug : .info) else { return }
        let head = entry.isRejection ? rejectionHead : entry.isProbe ? probeHead : requestHead
        writer.append(to: entry.request.eventLoop) { lines in
            lines.begin(head)
            entry.add(to: &lines)
            lines.end()
        }
    }
}
