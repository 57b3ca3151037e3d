package import Tracing

extension Tracer {
    /// Calls `body` in a span, which is that of tasks and of requests to other services that `body` starts.
    ///
    /// - Throws: what `body` throws, which the span records.
    package func span<Value>(
        _ name: String,
        ofKind kind: SpanKind,
        in context: ServiceContext? = ServiceContext.current,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let span = startSpan(name, context: context ?? .topLevel, ofKind: kind)
        defer { span.end() }
        do {
            return try await ServiceContext.$current.withValue(span.context) { try await body() }
        } catch {
            // Not the error itself, whose description can contain what a client has sent.
            span.setStatus(SpanStatus(code: .error, message: "\(type(of: error))"))
            throw error
        }
    }

    /// Calls `body` in the span of a request, which continues the trace that the request names in its header.
    package func requestSpan(
        of request: Request,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (any Tracing.Span) async -> Void
    ) async {
        var context = ServiceContext.topLevel
        extract(request.headers, into: &context, using: HeaderExtractor())
        let span = startSpan(request.method.rawValue, context: context, ofKind: .server)
        defer { span.end() }
        await ServiceContext.$current.withValue(span.context) { await body(span) }
    }
}

/// Finds the values of a trace in the header of a request.
private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: Headers) -> String? {
        // Names are stored in lower case.
        let name = key.lowercased().utf8
        return headers.all.first { $0.name.elementsEqual(name) }.map { String(decoding: $0.value, as: UTF8.self) }
    }
}
