import Logging
import HTTPMessages
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
