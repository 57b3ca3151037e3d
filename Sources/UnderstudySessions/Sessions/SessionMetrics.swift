package import CoreMetrics

/// The metrics about sessions.
package struct SessionMetrics: Sendable {
    package let live, bytes: Meter
    package let created: Counter
    package private(set) var expired, evicted: Counter

    package init(factory: any MetricsFactory) {
        live = Meter(label: "understudy_sessions", factory: factory)
        bytes = Meter(label: "understudy_session_bytes", factory: factory)
        created = Counter(label: "understudy_sessions_created_total", factory: factory)
        expired = Counter(label: "understudy_sessions_expired_total", factory: factory)
        evicted = Counter(label: "understudy_sessions_evicted_total", factory: factory)
    }

    /// The metrics without the ends of sessions, for the memory of a server whose sessions are in the database.
    package var withoutEnds: SessionMetrics {
        var metrics = self
        metrics.expired = Counter(label: "", factory: NOOPMetricsHandler.instance)
        metrics.evicted = metrics.expired
        return metrics
    }
}
