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
