import BusinessLogic
package import MicroHTTP

/// What the access log reports about a request. It never contains a body, a token or a cookie.
package struct AccessLogEntry {
    /// A value of a field.
    package enum Value {
        /// A text, which may come from the client.
        case text(String)
        /// Printable ASCII without quotation marks and backslashes.
        case ascii(ArraySlice<UInt8>)
        /// Eight hexadecimal digits.
        case hexadecimal(UInt32)
        case number(Int)
        /// A duration in microseconds, which is shown in milliseconds.
        case microseconds(Int64)
    }

    /// The request.
    package let request: Request
    /// The status of the response.
    package let status: Int
    /// Why the engine has rejected the request; `nil` if it has not.
    let rejection: Problem.Code?
    /// The time from the request to its response, in nanoseconds.
    let duration: Int64
    let page: Page?
    /// The event's name; empty if the request is not an event.
    let event: String
    let session: SessionID?
    /// Whether the request is a probe of a supervisor or a load balancer, which repeats every few seconds.
    package let isProbe: Bool

    /// Whether the engine has rejected the request.
    package var isRejection: Bool { rejection != nil }

    /// Calls `body` with each field, in the order of the names. The names consist of lowercase letters.
    package func forEachField(_ body: (_ name: StaticString, _ value: Value) -> Void) {
        if let rejection {
            body("code", .text(rejection.rawValue))
            body("request", .text(request.id))
            return body("status", .number(status))
        }
        body("duration", .microseconds(duration / 1000))
        if !event.isEmpty { body("event", .text(event)) }
        body("method", .text(request.method.rawValue))
        if let page {
            body("page", .text(page.name))
        } else {
            body("path", .text(String(request.path.prefix(100))))
        }
        body("request", .text(request.id))
        if let session { body("session", .hexadecimal(session.leading32Bits)) }
        let trace = TraceParent(request.headers)
        if let trace { body("span", .ascii(trace.parent)) }
        body("status", .number(status))
        if let trace { body("trace", .ascii(trace.trace)) }
    }
}
