import BusinessLogic
import Logging
import MicroHTTP

/// Logs a line for each request. It never contains a body, a token or a cookie.
struct AccessLog: Sendable {
    private let logger: Logger
    /// Whether the logger's level includes `info`.
    private let isOn: Bool
    private let prefix: PathPrefix

    init(_ logger: Logger?, below prefix: PathPrefix = PathPrefix()) {
        self.prefix = prefix
        self.logger = logger ?? Logger(label: "none") { _ in SwiftLogNoOpLogHandler() }
        isOn = logger.map { $0.logLevel <= .info } ?? false
    }

    /// Logs a response.
    func write(_ request: Request, _ record: borrowing RequestRecord, status: Int, after nanoseconds: Int64) {
        guard isOn else { return }
        var metadata: Logger.Metadata = [
            "method": .string(request.method.rawValue),
            "status": .stringConvertible(status),
            "duration": .stringConvertible(Double(nanoseconds / 1000) / 1000),
            "request": .string(request.id),
        ]
        if let page = record.page {
            metadata["page"] = .string(page.name)
            if record.event != nil { metadata["event"] = .string(record.eventName) }
        } else {
            metadata["path"] = .string(String(request.path.prefix(100)))
        }
        if let session = record.session { metadata["session"] = .string(session.brief) }
        if let trace = TraceParent(request.headers) {
            metadata["trace"] = .string(trace.trace)
            metadata["span"] = .string(trace.parent)
        }
        // Probes repeat every few seconds.
        let isProbe = record.page == nil && prefix.isProbe(request.path)
        logger.log(level: isProbe ? .debug : .info, "Request", metadata: metadata)
    }

    /// Logs a request that the engine has rejected.
    func write(rejection problem: Problem, id: String) {
        guard isOn else { return }
        logger.info(
            "Rejected",
            metadata: [
                "status": .stringConvertible(problem.code.status), "code": .string(problem.code.rawValue),
                "request": .string(id),
            ]
        )
    }
}

/// The trace of a request (W3C Trace Context, header `traceparent`).
struct TraceParent: Equatable {
    /// The trace ID: 32 hexadecimal digits.
    let trace: String
    /// The sender's span ID: 16 hexadecimal digits.
    let parent: String

    /// Returns `nil` if the header is missing or invalid.
    init?(_ headers: Headers) {
        guard let header = headers.first(.traceParent), headers.count(of: .traceParent) == 1 else { return nil }
        let parts = header.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        // Later versions of the format may have more parts.
        guard parts.count == 4 || parts.count > 4 && !parts[0].elementsEqual("00".utf8),
            parts[0].count == 2, parts[1].count == 32, parts[2].count == 16, parts[3].count == 2,
            parts.prefix(4).allSatisfy({ $0.allSatisfy(Self.isDigit) }), !parts[0].elementsEqual("ff".utf8),
            parts[1].contains(where: { $0 != UInt8(ascii: "0") }), parts[2].contains(where: { $0 != UInt8(ascii: "0") })
        else { return nil }
        trace = String(decoding: parts[1], as: UTF8.self)
        parent = String(decoding: parts[2], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

extension HeaderName {
    fileprivate static var traceParent: HeaderName { HeaderName(constant: "traceparent", lowercase: "traceparent") }
}
