import BusinessLogic
import HTTPMessages
import Tracing
import UnderstudyPages
import UnderstudySessions

struct RequestRecord {
    enum Delivery {
        case atOnce
        /// While the event runs.
        case stream(EventStream)
        /// As a stream that goes on after this response.
        case openStream
    }

    var page: Page?
    /// The event's index in the page's events, if the request is an event.
    var event: Int?
    var session: SessionID?
    /// The response may be another one: a browser's request has several parts.
    var problem: Problem.Code?
    /// `nil` if the request led to neither a problem nor a message.
    var reason: RequestReason?
    /// `nil` if the task is not that of a server.
    let trace: RequestTrace?
    // Not an optional stream, because releasing an optional in the memory of an asynchronous function takes much longer.
    var delivery = Delivery.atOnce
    /// In nanoseconds of the monotonic clock.
    let start = RequestTrace.now

    init(trace: RequestTrace? = nil) {
        self.trace = trace
    }

    var elapsed: Int64 { RequestTrace.now - start }

    /// Empty if the request is not an event.
    var eventName: String {
        if let page, let event { page.events[event].event.name } else { "" }
    }

    mutating func add(_ commands: ArraySlice<CommandHistory.Entry>, in session: Session) {
        guard commands.containMessage else { return }
        let codes = commands.compactMap { $0.command.message?.code }
        reason = RequestReason(messages: codes, account: session.identity.user?.brief)
    }

    /// The header field that shows the durations to the developer's tools of a browser (W3C Server Timing), in milliseconds.
    var serverTiming: HeaderField {
        var metrics = [(Stage.session, "wait"), (.hash, "hash"), (.database, "database")].compactMap { stage, name in
            trace.map { $0.durations[stage] }.flatMap { $0 > 0 ? Self.metric(name, $0) : nil }
        }
        metrics.append(Self.metric("total", elapsed))
        return ("Server-Timing", metrics.joined(separator: ", "))
    }

    private static func metric(_ name: String, _ nanoseconds: Int64) -> String {
        "\(name);dur=\(Double(nanoseconds / 1000) / 1000)"
    }

    /// Adds to the span of the request what is known at its end. It contains no values of the client.
    func describe(_ response: Response, in span: any Tracing.Span) {
        // https://opentelemetry.io/docs/specs/semconv/http/http-spans/
        span.attributes["http.response.status_code"] = response.status
        if let page {
            span.operationName += " /\(page.name)"
            span.attributes["http.route"] = "/\(page.name)"
        }
        if event != nil { span.attributes["understudy.event"] = eventName }
        if let problem {
            span.attributes["error.type"] = problem.rawValue
            if response.status >= 500 { span.setStatus(SpanStatus(code: .error, message: problem.rawValue)) }
        }
        if let messages = reason?.messages { span.attributes["understudy.messages"] = messages }
    }
}

/// A class, because most requests have none.
final class RequestReason: Sendable {
    /// The name of the first field with an invalid value, if the page declares it; `nil` if no value is invalid.
    let field: String?
    let messages: [String]
    /// The hash of the session's user; `nil` without one, or if the request led to a problem.
    let account: String?

    init(field: String? = nil, messages: [String] = [], account: String? = nil) {
        self.field = field
        self.messages = messages
        self.account = account
    }
}

extension User {
    /// The first 32 bits of a hash (BLAKE2b, RFC 7693) of the account's ID, or of the username without an account, for logs: enough to
    /// distinguish users, too few to find one.
    package var brief: String { String(SessionToken.hash(Array((id ?? username).utf8)).prefix(8)) }
}
