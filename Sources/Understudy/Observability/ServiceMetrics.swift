internal import CoreMetrics
import BusinessLogic
import MicroHTTP
import Synchronization

/// What a service counts and measures, through swift-metrics.
final class ServiceMetrics: Sendable {
    /// The name of each metric, with what it means.
    static let descriptions = [
        "understudy_requests_total": "Requests answered, by page, event (empty where it was none) and status.",
        "understudy_request_duration_seconds":
            "Time from the last byte of a request to its answer, by page and event.",
        "understudy_refusals_total": "Requests refused, by the code of the problem.",
        "understudy_sessions": "Sessions there are now.",
        "understudy_sessions_created_total": "Sessions started.",
        "understudy_sessions_expired_total":
            "Sessions that ended because they had gone unused, or lived, for too long.",
        "understudy_sessions_evicted_total": "Sessions that ended because there were too many, or they held too much.",
        "understudy_session_bytes": "Bytes that all sessions hold.",
        "understudy_connections": "Connections there are now.",
        "understudy_connections_total": "Connections accepted.",
        "understudy_loop_lag_seconds": "The longest turn of an event loop since the last scrape: how late others were.",
        "understudy_loop_held_total": "How often a controller held its event loop for longer than 50 milliseconds.",
    ]

    /// The metrics of one event that went well: the path that has to be fast.
    private struct EventMetrics {
        let handled: Counter
        let duration: Timer
    }

    let sessions: SessionMetrics
    private let factory: any MetricsFactory
    private let pages: [(page: Page, events: [EventMetrics])]
    private let held: Counter
    private let samplers = Mutex<[@Sendable () -> Void]>([])

    init(pages: [Page], factory: any MetricsFactory) {
        self.factory = factory
        sessions = SessionMetrics(factory: factory)
        held = Counter(label: "understudy_loop_held_total", factory: factory)
        self.pages = pages.map { page in
            let events = page.events.map { declaration in
                EventMetrics(
                    handled: Self.requests(page.name, declaration.event.name, 200, factory),
                    duration: Self.duration(page.name, declaration.event.name, factory)
                )
            }
            return (page, events)
        }
    }

    /// A request has been answered.
    func count(_ record: borrowing RequestRecord, status: Int, after nanoseconds: Int64) {
        if let page = record.page, let event = record.event {
            // Element by element, none of which is copied on the way.
            for index in pages.indices where pages[index].page === page {
                pages[index].events[event].duration.recordNanoseconds(nanoseconds)
                if status == 200 { return pages[index].events[event].handled.increment() }
            }
        } else {
            Self.duration(record.page?.name ?? "", "", factory).recordNanoseconds(nanoseconds)
        }
        Self.requests(record.page?.name ?? "", record.eventName, status, factory).increment()
    }

    /// A request has been refused.
    func count(refusal code: Problem.Code) {
        Counter(label: "understudy_refusals_total", dimensions: [("code", code.rawValue)], factory: factory).increment()
    }

    /// A controller has held its loop.
    func countBlockedLoop() {
        held.increment()
    }

    /// Has something measured whenever the metrics are asked for.
    func beforeScrape(_ sampler: @escaping @Sendable () -> Void) {
        samplers.withLock { $0.append(sampler) }
    }

    /// Measures what is not counted as it happens.
    func sample() {
        for sampler in samplers.withLock({ $0 }) { sampler() }
    }

    /// Has a server's connections and loops measured.
    func measure(_ statistics: @escaping @Sendable () -> ServerStatistics) {
        let connections = Meter(label: "understudy_connections", factory: factory)
        let accepted = Counter(label: "understudy_connections_total", factory: factory)
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
            for (loop, turn) in statistics.longestIterations.enumerated() {
                Meter(label: "understudy_loop_lag_seconds", dimensions: [("loop", "\(loop)")], factory: factory)
                    .set(turn / .seconds(1))
            }
        }
    }

    private static func requests(
        _ page: String,
        _ event: String,
        _ status: Int,
        _ factory: any MetricsFactory
    ) -> Counter {
        Counter(
            label: "understudy_requests_total",
            dimensions: [("page", page), ("event", event), ("status", "\(status)")],
            factory: factory
        )
    }

    private static func duration(_ page: String, _ event: String, _ factory: any MetricsFactory) -> Timer {
        Timer(
            label: "understudy_request_duration_seconds",
            dimensions: [("page", page), ("event", event)],
            factory: factory
        )
    }
}
