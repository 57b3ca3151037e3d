@testable import AccountsPostgreSQL
@testable import UnderstudyCommandLine

/// Servers and commands on machines whose clocks are wrong, or are set while they run.
@Suite(.fiveMinutes) struct ClockTests {
    /// In 2023, before these tests were written.
    let machine = ManualClock(now: .ms(1_700_000_000_000))

    @Test func `with PostgreSQL, a server and a command use its time, and a metric has the difference`() async throws {
        let uri = try Cluster.newDatabase()
        var settings = try ServeSettings(ServeCommand.parse(["--database", uri]).settings(file: "", environment: [:]))
        settings.service.clock = machine
        let metrics = PrometheusRegistry()
        let accounts = try OpenedAccounts(settings, mails: nil, metrics: metrics, logger: .silent)
        let log = LogWriter(STDERR_FILENO, style: LogStyle(format: .json), buffers: 1, capacity: 0)
        ServerMetrics.collect(into: metrics, accounts, nil, nil, log)
        try await accounts.prepare()
        #expect(accounts.clock.now > machine.now + .seconds(365 * 86_400))
        #expect(!accounts.clock.isReliable)
        #expect(try #require(metrics.value("understudy_clock_difference_seconds")) < -365 * 86_400)
        let command = try AccountListCommand.parse(["--database", uri])
        #expect(try await command.storage.administration().clock is DatabaseClock)
        await accounts.database.close()
        log.close()
    }

    @Test func `a large difference is logged when it begins and when it ends`() async throws {
        let log = LogCapture()
        let clock = DatabaseClock(machine: machine) { [machine] in machine.steady }
        let comparison = ClockComparison(clock: clock, logger: log.logger)
        machine.set(by: .seconds(31 * 60))
        let running = Task { try await comparison.run() }
        try await waitUntil { log.lines.count == 1 }
        running.cancel()
        try await running.value
        var agreement = DatabaseClock.Agreement.unreliable
        for seconds in [-31 * 60 + 10, -10] {
            machine.set(by: .seconds(seconds))
            agreement = comparison.report(after: agreement)
        }
        #expect(
            log.texts == [
                "The machine's clock differs from the database's by more than a minute: seconds=1860.0",
                "The machine's clock differs from the database's: seconds=10.0",
                "The machine's clock agrees with the database's again: seconds=0.0",
            ]
        )
    }
}
