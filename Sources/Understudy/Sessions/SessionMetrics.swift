internal import CoreMetrics

/// The metrics about sessions.
struct SessionMetrics: Sendable {
    let live, bytes: Meter
    let created: Counter
    private(set) var expired, evicted: Counter

    init(factory: any MetricsFactory) {
        live = Meter(label: "understudy_sessions", factory: factory)
        bytes = Meter(label: "understudy_session_bytes", factory: factory)
        created = Counter(label: "understudy_sessions_created_total", factory: factory)
        expired = Counter(label: "understudy_sessions_expired_total", factory: factory)
        evicted = Counter(label: "understudy_sessions_evicted_total", factory: factory)
    }

    /// The metrics without the ends of sessions, for the memory of a server whose sessions are in the database.
    var withoutEnds: SessionMetrics {
        var metrics = self
        metrics.expired = Counter(label: "", factory: NOOPMetricsHandler.instance)
        metrics.evicted = metrics.expired
        return metrics
    }
}
