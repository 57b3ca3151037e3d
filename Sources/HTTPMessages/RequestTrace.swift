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
    /// Empty before the first request.
    // Not the request itself, whose memory its connection uses again.
    package var request = RequestDescription()
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

    /// `nil` if this task handles no request.
    package static var current: RequestTrace? {
        let trace = ofTask
        return trace.task == taskNumber ? trace : nil
    }

    /// The address of the current task; 0 without one.
    // Its hash value, or unwrapping it, takes hundreds of instructions.
    private static var taskNumber: UInt { withUnsafeCurrentTask { unsafeBitCast($0, to: UInt.self) } }

    /// The task handles requests, one after the other.
    package static func bind(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (RequestTrace) async -> Void
    ) async {
        let trace = RequestTrace(task: taskNumber)
        await $ofTask.withValue(trace) { await body(trace) }
    }

    package func begin(_ request: Request) {
        self.request.describe(request)
        durations = Durations()
        isAbandoned = false
        waitsSince = nil
        if Self.isTracing { tracer = nil }
    }

    package func use(_ tracer: any Tracer) {
        self.tracer = tracer
    }

    /// When a handler last went on after a stage, in nanoseconds of the monotonic clock; 0 if none has.
    package var lastResumed: Int64 { resumed.load(ordering: .relaxed) }

    /// Measures a stage of the request that this task handles, and makes a span with that name if the service has a tracer. Throws
    /// `CancellationError` if a password is to be hashed whose client has gone.
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

    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

package enum Stage: Int, Sendable {
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

/// In nanoseconds.
package struct Durations: Sendable {
    private var nanoseconds = InlineArray<5, Int64>(repeating: 0)

    package init() {}

    package subscript(stage: Stage) -> Int64 {
        get { nanoseconds[stage.rawValue] }
        set { nanoseconds[stage.rawValue] = newValue }
    }
}

extension Tracer {
    /// The span is that of tasks and of requests to other services that `body` starts, and records what `body` throws.
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

    /// Continues the trace that the request names in its header.
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

private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: Headers) -> String? {
        // Names are stored in lower case.
        let name = key.lowercased().utf8
        return headers.all.first { $0.name.elementsEqual(name) }.map { String(decoding: $0.value, as: UTF8.self) }
    }
}
