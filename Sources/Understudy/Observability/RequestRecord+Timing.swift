import HTTPMessages
import Tracing
import UnderstudyPages

extension RequestRecord {
    /// The header field that shows the durations to the developer's tools of a browser (W3C Server Timing), in milliseconds.
    var serverTiming: (name: HeaderName, value: String) {
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
