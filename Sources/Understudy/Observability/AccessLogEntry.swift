import Addresses
import BusinessLogic
package import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// What the access log reports about a request. It never contains a body, a token or a cookie, and contains the client's address and the hash
/// of the account only if the request led to a problem or a message.
package struct AccessLogEntry: ~Copyable {
    /// The request.
    package let request: Request
    /// The status of the response.
    let status: Int
    /// The code of the problem; `nil` if the response is not a problem.
    var problem: Problem.Code?
    /// Why the request led to a problem or a message; `nil` if it led to neither.
    var reason: RequestReason?
    /// Whether the engine has rejected the request.
    package var isRejection = false
    /// The time from the request to its response, in nanoseconds.
    var duration: Int64 = 0
    var page: Page?
    /// The event's index in the page's events; `nil` if the request is not an event.
    var event: Int?
    var session: SessionID?
    var durations = Durations()
    /// Whether the request is a probe of a supervisor or a load balancer, which repeats every few seconds.
    package var isProbe = false

    /// Adds each field, in the order of the names.
    package func add(to fields: inout some AccessLogFields & ~Copyable) {
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
        if let page, let event { fields.add("event", text: page.events[event].event.name) }
        if problem != nil, let field = reason?.field { fields.add("field", text: field) }
        if durations[.hash] > 0 { fields.add("hash", microseconds: durations[.hash] / 1000) }
        fields.add("method", plain: request.method.rawValue)
        if let page {
            fields.add("page", plain: page.name)
        } else {
            fields.add("path", text: String(request.path).clipped)
        }
        fields.add("request", plain: request.id)
        if let session { fields.add("session", hexadecimal: session.leading32Bits) }
        let trace = TraceParent(request.headers)
        if let trace { fields.add("span", plain: trace.parent) }
        fields.add("status", number: status)
        if let trace { fields.add("trace", plain: trace.trace) }
        if durations[.session] > 0 { fields.add("wait", microseconds: durations[.session] / 1000) }
    }
}

/// Receives the fields of an ``AccessLogEntry``. The names consist of lowercase letters.
package protocol AccessLogFields: ~Copyable {
    /// Adds any text. It may come from the client.
    mutating func add(_ name: StaticString, text: String)
    /// Adds a text that is not empty, and consists of printable ASCII characters except space, quotation marks and backslash.
    mutating func add(_ name: StaticString, plain: String)
    /// Adds eight hexadecimal digits.
    mutating func add(_ name: StaticString, hexadecimal: UInt32)
    /// Adds a number, at least 0.
    mutating func add(_ name: StaticString, number: Int)
    /// Adds a duration in microseconds, at least 0, which is shown in milliseconds.
    mutating func add(_ name: StaticString, microseconds: Int64)
}
