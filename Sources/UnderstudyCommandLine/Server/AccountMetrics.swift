import Accounts
import CoreMetrics
import Understudy
import RateLimiting
import SessionStorage

/// An audit log that counts the events of accounts, and passes them to another audit log.
///
/// All labels are from closed lists, and each series starts at 0, so that Prometheus sees the first event.
final class AccountMetrics: AuditLog {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_logins_total":
            "Logins that have succeeded, by factor (password, passkey, authenticatorApp or recoveryCode).",
        "understudy_login_failures_total": "Logins that have failed, by the reason in the audit log.",
        "understudy_passwords_verified_total": "Right passwords of users who must also give a second factor.",
        "understudy_passkeys_suspected_total": "Logins with a passkey that may have been copied.",
        "understudy_logouts_total": "Logouts.",
        "understudy_signups_total":
            "Sign-ups, by result (created, or existing if the address or the name has an account).",
        "understudy_codes_total": "Codes sent by email, by what happened to them (sent, used or wrong).",
        "understudy_account_changes_total": "Changes of accounts by their users, by the change in the audit log.",
        "understudy_limits_applied_total":
            "Attempts rejected because the client's address had reached a limit, by its setting.",
    ]

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
