internal import CoreMetrics
import BusinessLogic
import HTTPMessages
import MicroHTTP
import Synchronization
import UnderstudyPages
import UnderstudySessions

/// The service's metrics, reported through swift-metrics.
final class ServiceMetrics: Sendable {
    /// The metrics' names and descriptions.
    static let descriptions = [
        "understudy_requests_total": "Requests, by page, event (empty if the request is not an event) and status.",
        "understudy_request_duration_seconds":
            "Time from the last byte of a request to its response, by page and event.",
        "understudy_problems_total": "Rejected and failed requests, by the code of the problem.",
        "understudy_updates_total":
            "Updates: events that no client sent, by page, update and result (handled or failed).",
        "understudy_waiting_requests":
            "Requests that wait for new commands of their sessions: streams, and those with 'wait'.",
        "understudy_sessions": "Current sessions.",
        "understudy_sessions_created_total": "Sessions started.",
        "understudy_sessions_expired_total":
            "Sessions that ended because they were unused for too long or had reached their lifetime.",
        "understudy_sessions_evicted_total":
            "Sessions that ended because there were too many or they took too much memory.",
        "understudy_session_bytes": "Bytes that all sessions take.",
        "understudy_states_discarded_total":
            "Pages of restored sessions that started afresh, because their state could not be restored, by page.",
        "understudy_session_values_discarded_total":
            "Values of restored sessions that started afresh, because they could not be restored, by value.",
        "understudy_ready": "1 if the service accepts requests, as `/readyz` reports it; otherwise 0.",
        "understudy_connections": "Current connections.",
        "understudy_connections_total": "Connections accepted.",
        "understudy_loop_lag_seconds":
            "The longest time since the last scrape for which an event loop was busy without waiting, which delays its clients.",
        "understudy_loop_blocked_total":
            "How often a controller blocked its event loop for longer than 50 milliseconds.",
    ]

    /// The metrics of an event, or of a page's reads, created in advance: looking them up takes some 5,000 instructions.
    private struct EventMetrics {
        /// Counts responses with status 200.
        let handled: Counter
        let duration: Timer
    }

    let sessions: SessionMetrics
    private let factory: any MetricsFactory
    private let pages: [(page: Page, reads: EventMetrics, events: [EventMetrics])]
    private let ready: Meter
    private let blockedLoops: Counter
    private let samplers = Mutex<[@Sendable () -> Void]>([])

    init(pages: [Page], factory: any MetricsFactory) {
        self.factory = factory
        sessions = SessionMetrics(factory: factory)
        ready = Meter(label: "understudy_ready", factory: factory)
        blockedLoops = factory.counter("understudy_loop_blocked_total")
        self.pages = pages.map { page in
            func metrics(_ event: String) -> EventMetrics {
                EventMetrics(
                    handled: factory.requests(page.name, event, 200),
                    duration: factory.duration(page.name, event)
                )
            }
            return (page, metrics(""), page.events.map { metrics($0.event.name) })
        }
    }

    /// Counts a response.
    func count(_ record: RequestRecord, status: Int, after nanoseconds: Int64) {
        // Iterating over the elements would copy each of them.
        for index in pages.indices where pages[index].page === record.page {
            if let event = record.event {
                pages[index].events[event].duration.recordNanoseconds(nanoseconds)
                if status == 200 { return pages[index].events[event].handled.increment() }
            } else {
                pages[index].reads.duration.recordNanoseconds(nanoseconds)
                if status == 200 { return pages[index].reads.handled.increment() }
            }
            return factory.requests(pages[index].page.name, record.eventName, status).increment()
        }
        factory.duration("", "").recordNanoseconds(nanoseconds)
        factory.requests("", "", status).increment()
    }

    /// Counts a problem.
    func count(problem code: Problem.Code) {
        factory.counter("understudy_problems_total", ("code", code.rawValue)).increment()
    }

    /// Counts a page of a restored session that starts afresh.
    func countDiscardedState(of page: Page) {
        factory.counter("understudy_states_discarded_total", ("page", page.name)).increment()
    }

    /// Counts a value of a restored session that starts afresh.
    func countDiscardedValue(_ name: String) {
        factory.counter("understudy_session_values_discarded_total", ("value", name)).increment()
    }

    /// Counts an update.
    func countUpdate(_ update: Event, on page: Page, succeeded: Bool) {
        let result = succeeded ? "handled" : "failed"
        factory.counter(
            "understudy_updates_total",
            ("page", page.name),
            ("update", update.name),
            ("result", result)
        ).increment()
    }

    /// Measures how many requests wait.
    func measureWaitingRequests(_ count: @escaping @Sendable () -> Int) {
        let waiting = Meter(label: "understudy_waiting_requests", factory: factory)
        beforeScrape { waiting.set(count()) }
    }

    /// Counts a controller that has blocked its event loop.
    func countBlockedLoop() {
        blockedLoops.increment()
    }

    /// Calls `sampler` before the metrics are read.
    func beforeScrape(_ sampler: @escaping @Sendable () -> Void) {
        samplers.withLock { $0.append(sampler) }
    }

    /// Updates the metrics that are measured, not counted.
    ///
    /// - Parameter isReady: whether the service accepts requests.
    func sample(isReady: Bool = true) {
        ready.set(isReady ? 1 : 0)
        for sampler in samplers.withLock({ $0 }) { sampler() }
    }

    /// Measures a server's connections and event loops.
    func measure(_ statistics: @escaping @Sendable () -> ServerStatistics) {
        let connections = Meter(label: "understudy_connections", factory: factory)
        let accepted = factory.counter("understudy_connections_total")
        let factory = factory
        let counted = Mutex(0)
        beforeScrape {
            let statistics = statistics()
            connections.set(statistics.connections)
            accepted.increment(
                by: counted.withLock { counted in
                    defer { counted = statistics.accepted }
                    return max(0, statistics.accepted - counted)
                }
            )
            for (loop, longest) in statistics.longestIterations.enumerated() {
                Meter(label: "understudy_loop_lag_seconds", dimensions: [("loop", "\(loop)")], factory: factory)
                    .set(longest / .seconds(1))
            }
        }
    }
}

extension MetricsFactory {
    fileprivate func counter(_ name: String, _ labels: (String, String)...) -> Counter {
        Counter(label: name, dimensions: labels, factory: self)
    }

    fileprivate func requests(_ page: String, _ event: String, _ status: Int) -> Counter {
        counter("understudy_requests_total", ("page", page), ("event", event), ("status", "\(status)"))
    }

    fileprivate func duration(_ page: String, _ event: String) -> Timer {
        let labels = [("page", page), ("event", event)]
        return Timer(label: "understudy_request_duration_seconds", dimensions: labels, factory: self)
    }
}
