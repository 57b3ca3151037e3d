import Logging
import Addresses
import BusinessLogic
package import HTTPMessages
import UnderstudyPages

/// Receives an entry for each request. A class, so that a call through the protocol needs no existential box.
package protocol AccessLogHandler: AnyObject, Sendable {
    /// Runs on the request's event loop, which it must not block.
    func log(_ entry: borrowing AccessLogEntry)
}

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

private struct MetadataFields: AccessLogFields {
    var metadata: Logger.Metadata = [:]

    mutating func add(_ name: StaticString, text: String) {
        metadata["\(name)"] = .string(text)
    }

    mutating func add(_ name: StaticString, plain: String) { add(name, text: plain) }

    mutating func add(_ name: StaticString, hexadecimal: UInt32) { add(name, text: SessionID.hexadecimal(hexadecimal)) }

    mutating func add(_ name: StaticString, number: Int) {
        metadata["\(name)"] = .stringConvertible(number)
    }

    mutating func add(_ name: StaticString, microseconds: Int64) {
        metadata["\(name)"] = .stringConvertible(Double(microseconds) / 1000)
    }
}

/// What the access log reports about a request. It never contains a body, a token or a cookie, and contains the client's address and the hash
/// of the account only if the request led to a problem or a message.
package struct AccessLogEntry: ~Copyable {
    package let request: Request
    let record: RequestRecord
    let status: Int
    /// The time from the request to its response, in nanoseconds.
    var duration: Int64 = 0
    /// Whether the engine has rejected the request.
    package var isRejection = false
    /// A probe of a supervisor or a load balancer repeats every few seconds.
    package var isProbe = false

    package func add(to fields: inout some AccessLogFields & ~Copyable) {
        let reason = record.reason
        let problem = record.problem?.status == status ? record.problem : nil
        let durations = record.trace?.durations ?? Durations()
        if let account = reason?.account { fields.add("account", text: account) }
        if problem != nil || reason != nil, let address = request.clientAddress {
            fields.add("client", plain: address.description)
        }
        if let problem { fields.add("code", plain: problem.rawValue) }
        if let messages = reason?.messages, !messages.isEmpty {
            fields.add("codes", text: messages.count == 1 ? messages[0] : messages.joined(separator: ","))
        }
        if durations[.database] > 0 { fields.add("database", microseconds: durations[.database] / 1000) }
        if isRejection {
            fields.add("request", plain: request.id)
            return fields.add("status", number: status)
        }
        fields.add("duration", microseconds: duration / 1000)
        if let page = record.page, let event = record.event { fields.add("event", text: page.events[event].event.name) }
        if problem != nil, let field = reason?.field { fields.add("field", text: field) }
        if durations[.hash] > 0 { fields.add("hash", microseconds: durations[.hash] / 1000) }
        fields.add("method", plain: request.method.rawValue)
        if let page = record.page {
            fields.add("page", plain: page.name)
        } else {
            fields.add("path", text: String(request.path).clipped)
        }
        fields.add("request", plain: request.id)
        if let session = record.session { fields.add("session", hexadecimal: session.leading32Bits) }
        let trace = TraceParent(request.headers)
        if let trace { fields.add("span", plain: trace.parent) }
        fields.add("status", number: status)
        if let trace { fields.add("trace", plain: trace.trace) }
        if durations[.session] > 0 { fields.add("wait", microseconds: durations[.session] / 1000) }
    }
}

/// Receives the fields of an ``AccessLogEntry``. The names consist of lowercase letters.
package protocol AccessLogFields: ~Copyable {
    /// The text may come from the client.
    mutating func add(_ name: StaticString, text: String)
    /// The text is not empty, and consists of printable ASCII characters except space, quotation marks and backslash.
    mutating func add(_ name: StaticString, plain: String)
    mutating func add(_ name: StaticString, hexadecimal: UInt32)
    /// At least 0.
    mutating func add(_ name: StaticString, number: Int)
    /// Adds a duration in microseconds, at least 0, which is shown in milliseconds.
    mutating func add(_ name: StaticString, microseconds: Int64)
}

/// The trace of a request (W3C Trace Context, header `traceparent`).
struct TraceParent {
    /// 32 hexadecimal digits.
    let trace: String
    /// The sender's span ID: 16 hexadecimal digits.
    let parent: String

    /// Returns `nil` if the header is missing or invalid.
    init?(_ headers: Headers) {
        // Version, trace ID, span ID and flags: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
        guard let header = headers.first(.traceParent), headers.count(of: .traceParent) == 1 else { return nil }
        let parts = header.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 4,
            zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.count == $1 && $0.allSatisfy(Self.isDigit) }),
            !parts[0].elementsEqual("ff".utf8), parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }),
            // Later versions of the format may have more parts.
            parts.count == 4 || !parts[0].elementsEqual("00".utf8)
        else { return nil }
        trace = String(decoding: parts[1], as: UTF8.self)
        parent = String(decoding: parts[2], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte.isHexadecimalDigit && byte == byte.lowercased }
}

extension HeaderName {
    fileprivate static var traceParent: HeaderName { HeaderName(constant: "traceparent", lowercase: "traceparent") }
}
