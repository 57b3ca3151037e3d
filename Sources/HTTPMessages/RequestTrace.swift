import Glibc
import Synchronization
package import Tracing

/// What is known about the request that a task handles: for log lines of any code that the request calls, for durations, and for spans.
///
/// A worker of an event loop has one for all its requests, so that a request need not bind a task-local value. Tasks that a handler starts
/// inherit the value, but have none: they may outlive the request.
///
/// Sendable because only its task uses what is not atomic: ``current`` is `nil` in any other.
package final class RequestTrace: @unchecked Sendable {
    // Not an optional, whose copy takes 60 instructions more.
    @TaskLocal private static var ofTask = RequestTrace(task: .max)

    /// Whether a service has a tracer. Without one, nothing looks for a tracer, or for the trace of a collaborator's call.
    package static var isTracing: Bool { tracing.load(ordering: .relaxed) }
    private static let tracing = Atomic(false)

    /// Call this when a service with a tracer is created.
    package static func startTracing() { tracing.store(true, ordering: .relaxed) }

    private let task: UInt
    /// The request; empty before the first one.
    // Not the request itself, whose memory its connection uses again.
    package var request = RequestDescription()
    /// The durations of the stages.
    package private(set) var durations = Durations()
    private let resumed = Atomic<Int64>(0)
    /// Whether the handler hashes a password, or waits to do so.
    package private(set) var isHashing = false
    /// Whether the client has gone, so that no password of the request need be hashed.
    package var isAbandoned = false
    /// Since when the request waits for a database that is not available; `nil` while none is known to be. All calls of a request together wait no
    /// longer than one of them may.
    package var waitsSince: ContinuousClock.Instant?
    private var tracer: (any Tracer)?

    private init(task: UInt) {
        self.task = task
    }

    /// The trace of this task; `nil` if the task handles no request.
    package static var current: RequestTrace? {
        let trace = ofTask
        return trace.task == taskNumber ? trace : nil
    }

    /// The address of the current task; 0 without one.
    // Its hash value, or unwrapping it, takes hundreds of instructions.
    private static var taskNumber: UInt { withUnsafeCurrentTask { unsafeBitCast($0, to: UInt.self) } }

    /// Calls `body` in a task that handles requests, one after the other.
    package static func bind(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (RequestTrace) async -> Void
    ) async {
        let trace = RequestTrace(task: taskNumber)
        await $ofTask.withValue(trace) { await body(trace) }
    }

    /// Begins a request.
    package func begin(_ request: Request) {
        self.request.describe(request)
        durations = Durations()
        isAbandoned = false
        waitsSince = nil
        if Self.isTracing { tracer = nil }
    }

    /// Makes spans of the request's stages.
    package func use(_ tracer: any Tracer) {
        self.tracer = tracer
    }

    /// When a handler last went on after a stage, in nanoseconds of the monotonic clock; 0 if none has.
    package var lastResumed: Int64 { resumed.load(ordering: .relaxed) }

    /// Measures a stage of the request that this task handles, and makes a span of it if the service has a tracer.
    ///
    /// - Parameter name: the name of the span.
    /// - Throws: what `body` throws; `CancellationError` if a password is to be hashed whose client has gone.
    package static func measure<Value>(
        _ stage: Stage,
        _ name: @autoclosure () -> String,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard let trace = current else { return try await body() }
        if stage == .hash {
            if trace.isAbandoned { throw CancellationError() }
            trace.isHashing = true
        }
        let start = now
        defer {
            trace.isHashing = false
            let end = now
            trace.durations[stage] += end - start
            trace.resumed.store(end, ordering: .relaxed)
        }
        guard let tracer = trace.tracer else { return try await body() }
        return try await tracer.span(name(), ofKind: stage == .database ? .client : .internal, body)
    }

    /// Nanoseconds of the monotonic clock.
    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// What a request does between its arrival and its response.
package enum Stage: Int, Sendable {
    /// It waits for its session, which handles another event.
    case session
    /// A password is hashed, or waits for a thread that hashes it.
    case hash
    /// The database works, or a connection to it is awaited.
    case database
    /// A collaborator of a controller works. Includes the stages within.
    case collaborator
    /// The controller handles the event. Includes the stages within.
    case controller
}

/// The time that a request has spent in each stage, in nanoseconds.
package struct Durations: Sendable {
    private var nanoseconds = InlineArray<5, Int64>(repeating: 0)

    package init() {}

    package subscript(stage: Stage) -> Int64 {
        get { nanoseconds[stage.rawValue] }
        set { nanoseconds[stage.rawValue] = newValue }
    }
}

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
