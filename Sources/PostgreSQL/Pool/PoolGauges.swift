internal import CoreMetrics

/// The metrics of a pool that are measured, not counted.
struct PoolGauges {
    private let inUse: Meter
    private let idle: Meter
    private let waiting: Meter

    init(factory: any MetricsFactory) {
        func connections(_ state: String) -> Meter {
            Meter(label: "understudy_database_connections", dimensions: [("state", state)], factory: factory)
        }
        inUse = connections("in_use")
        idle = connections("idle")
        waiting = Meter(label: "understudy_database_waiting_calls", factory: factory)
    }

    func set(_ statistics: PoolStatistics) {
        inUse.set(statistics.inUse)
        idle.set(statistics.idle)
        waiting.set(statistics.waiting)
    }
}

extension PostgreSQLPool {
    /// The metrics' names and descriptions.
    package static let metricDescriptions = [
        "understudy_database_statement_duration_seconds":
            "Time from sending a statement to its result, by statement, without the time a call waits for a connection.",
        "understudy_database_errors_total": "Calls to the database that have failed, by kind.",
        "understudy_database_connections": "Open connections to the database, by state.",
        "understudy_database_waiting_calls": "Calls that wait for a connection to the database.",
    ]
}
