import CoreMetrics
import BusinessLogic
import MicroHTTP
import Synchronization
import UnderstudyPages
import UnderstudySessions

final class ServiceMetrics: Sendable {
    static let descriptions = PrometheusRegistry.descriptions(in: PackageResources.metrics_txt)

    /// The metrics of an event, or of a page's reads, created in advance: looking them up takes some 5,000 instructions.
    private struct EventMetrics {
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

    func count(_ record: RequestRecord, status: Int, after nanoseconds: Int64) {
        // Iterating over the elements would copy each of them.
        for index in pages.indices where pages[index].page === record.page {
            let metrics = record.event.map { pages[index].events[$0] } ?? pages[index].reads
            metrics.duration.recordNanoseconds(nanoseconds)
            if status == 200 { return metrics.handled.increment() }
            return factory.requests(pages[index].page.name, record.eventName, status).increment()
        }
        factory.duration("", "").recordNanoseconds(nanoseconds)
        factory.requests("", "", status).increment()
    }

    func count(problem code: Problem.Code) {
        factory.counter("understudy_problems_total", ("code", code.rawValue)).increment()
    }

    func count(_ discarded: DiscardedPart) {
        switch discarded {
        case .page(let name): factory.counter("understudy_states_discarded_total", ("page", name)).increment()
        case .value(let name): factory.counter("understudy_session_values_discarded_total", ("value", name)).increment()
        }
    }

    func countUpdate(_ update: Event, on page: Page, succeeded: Bool) {
        let result = succeeded ? "handled" : "failed"
        factory.counter(
            "understudy_updates_total",
            ("page", page.name),
            ("update", update.name),
            ("result", result)
        ).increment()
    }

    func measureWaitingRequests(_ count: @escaping @Sendable () -> Int) {
        let waiting = Meter(label: "understudy_waiting_requests", factory: factory)
        beforeScrape { waiting.set(count()) }
    }

    /// A controller has blocked its event loop.
    func countBlockedLoop() { blockedLoops.increment() }

    func beforeScrape(_ sampler: @escaping @Sendable () -> Void) { samplers.withLock { $0.append(sampler) } }

    /// Updates the metrics that are measured, not counted.
    func sample(isReady: Bool = true) {
        ready.set(isReady ? 1 : 0)
        for sampler in samplers.withLock({ $0 }) { sampler() }
    }

    func measure(_ statistics: @escaping @Sendable () -> ServerStatistics) {
        let connections = Meter(label: "understudy_connections", factory: factory)
        let accepted = factory.counter("understudy_connections_total")
        let factory = factory
        let counted = Mutex(0)
        beforeScrape {
            let statistics = statistics()
            connections.set(statistics.connections)
            accepted.increment(
                by: counted.withLock { max(0, statistics.accepted - exchange(&$0, with: statistics.accepted)) }
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
