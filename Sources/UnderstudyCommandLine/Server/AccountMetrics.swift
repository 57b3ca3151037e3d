import Accounts
import CoreMetrics
import Understudy
import RateLimiting
import SessionStorage

/// An audit log that counts the events of accounts, and passes them to another audit log.
///
/// All labels are from closed lists, and each series starts at 0, so that Prometheus sees the first event.
final class AccountMetrics: AuditLog {
    private let destination: any AuditLog
    private let limits: AccountRateLimits
    private let counters: [AuditEvent.Series: Counter]

    /// - Parameters:
    ///   - destination: the audit log that gets the events.
    ///   - limits: the limits of clients' addresses.
    ///   - factory: makes the counters.
    init(_ destination: any AuditLog, limits: AccountRateLimits, factory: any MetricsFactory) {
        self.destination = destination
        self.limits = limits
        let counters = AuditEvent.Series.all.map { series in
            let dimensions = series.label.map { [($0, series.value)] } ?? []
            return (
                series, Counter(label: "understudy_\(series.metric)_total", dimensions: dimensions, factory: factory)
            )
        }
        self.counters = Dictionary(uniqueKeysWithValues: counters)
    }

    func record(_ event: AuditEvent) async {
        count(event)
        await destination.record(event)
    }

    func recordAtCommit(_ event: AuditEvent) async {
        UnitOfWork.afterCommit { [self] in count(event) }
        await destination.recordAtCommit(event)
    }

    private func count(_ event: AuditEvent) {
        for series in event.series { counters[series]?.increment() }
    }

    /// The attempts that the limits have rejected.
    var samples: [MetricSample] {
        [
            (Settings.logins, limits.logins), (Settings.failedLogins, limits.failedLogins),
            (Settings.signups, limits.signups), (Settings.codes, limits.codes),
        ].map { setting, limit in
            .counter("understudy_limits_applied_total", Double(limit.rejectedCount), ("limit", setting.name))
        }
    }
}
