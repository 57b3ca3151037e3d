import Accounts
import AccountsPostgreSQL
import CBuild
import MicroHTTP
import RateLimiting
import Understudy

/// The metrics of a server that are read when they are needed.
enum ServerMetrics {
    /// The description of each metric by its name, as docs/operating.md contains it.
    static let descriptions = UnderstudyService.metricDescriptions.merging(
        PrometheusRegistry.descriptions(in: PackageResources.metrics_txt)
    ) { $1 }

    /// Adds the metrics of the program and of what a server has opened.
    static func collect(
        into registry: PrometheusRegistry,
        _ accounts: OpenedAccounts,
        _ certificate: TLSCredentials?,
        _ mails: MailDelivery?,
        _ log: LogWriter
    ) {
        registry.collect { [version = Application.current.version] in
            let load = accounts.hasher.load
            var samples: [MetricSample] = [
                .gauge(
                    "understudy_build_info",
                    1,
                    ("version", version),
                    ("understudy", UnderstudyService.version),
                    ("commit", String(cString: CBuild_commit))
                ),
                .counter("understudy_log_lines_lost_total", Double(log.lost)),
                .gauge("understudy_password_hashes_waiting", Double(load.waiting)),
                .counter("understudy_password_hashes_total", Double(load.done)),
                .counter("understudy_password_hashes_refused_total", Double(load.rejected)),
            ]
            samples += ProcessStatus.samples + accounts.rateLimits.samples + (mails?.samples ?? [])
            if let clock = accounts.database.clock {
                samples.append(.gauge("understudy_clock_difference_seconds", clock.difference / .seconds(1)))
            }
            if let figures = accounts.database.pool?.statistics {
                samples.append(.gauge("understudy_database_connections", Double(figures.inUse), ("state", "in_use")))
                samples.append(.gauge("understudy_database_connections", Double(figures.idle), ("state", "idle")))
                samples.append(.gauge("understudy_database_waiting_calls", Double(figures.waiting)))
            }
            // Of another certificate after it was replaced.
            if let end = certificate?.expiration {
                samples.append(.gauge("understudy_certificate_not_after_timestamp_seconds", Double(end)))
            }
            return samples
        }
    }
}

extension AccountRateLimits {
    /// The attempts that the limits have rejected.
    var samples: [MetricSample] {
        [
            (Settings.logins, logins), (Settings.failedLogins, failedLogins), (Settings.signups, signups),
            (Settings.codes, codes),
        ].map { setting, limit in
            .counter("understudy_limits_applied_total", Double(limit.rejectedCount), ("limit", setting.name))
        }
    }
}
