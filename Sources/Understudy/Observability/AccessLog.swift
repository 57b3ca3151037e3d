import Logging
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// Receives an entry for each request. A class, so that a call through the protocol needs no existential box.
package protocol AccessLogHandler: AnyObject, Sendable {
    /// Logs a response. Runs on the request's event loop, which it must not block.
    func log(_ entry: borrowing AccessLogEntry)
}

/// Passes what is known about a request to the handler of the access log.
struct AccessLog: Sendable {
    private let handler: (any AccessLogHandler)?

    init(_ handler: (any AccessLogHandler)?) {
        self.handler = handler
    }

    /// Logs a response.
    func write(_ request: Request, _ record: RequestRecord, status: Int, after nanoseconds: Int64, isProbe: Bool) {
        guard let handler else { return }
        handler.log(
            AccessLogEntry(
                request: request,
                status: status,
                problem: record.problem?.status == status ? record.problem : nil,
                reason: record.reason,
                duration: nanoseconds,
                page: record.page,
                event: record.event,
                session: record.session,
                durations: record.trace?.durations ?? Durations(),
                isProbe: isProbe
            )
        )
    }

    /// Logs a request that the engine has rejected.
    func write(rejection problem: Problem, of request: Request) {
        guard let handler else { return }
        handler.log(
            AccessLogEntry(request: request, status: problem.code.status, problem: problem.code, isRejection: true)
        )
    }
}

/// Logs each request through swift-log.
final class LoggerAccessLog: AccessLogHandler {
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    func log(_ entry: borrowing AccessLogEntry) {
        let level: Logger.Level = entry.isProbe ? .debug : .info
        guard logger.logLevel <= level else { return }
        var fields = MetadataFields()
        entry.add(to: &fields)
        logger.log(level: level, entry.isRejection ? "Rejected" : "Request", metadata: fields.metadata)
    }
}

/// The fields as metadata of swift-log.
private struct MetadataFields: AccessLogFields {
    var metadata: Logger.Metadata = [:]

    mutating func add(_ name: StaticString, text: String) {
        metadata["\(name)"] = .string(text)
    }

    mutating func add(_ name: StaticString, plain: String) {
        add(name, text: plain)
    }

    mutating func add(_ name: StaticString, hexadecimal: UInt32) {
        add(name, text: SessionID.hexadecimal(hexadecimal))
    }

    mutating func add(_ name: StaticString, number: Int) {
        metadata["\(name)"] = .stringConvertible(number)
    }

    mutating func add(_ name: StaticString, microseconds: Int64) {
        metadata["\(name)"] = .stringConvertible(Double(microseconds) / 1000)
    }
}
