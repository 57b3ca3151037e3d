import Accounts
import AccountsPostgreSQL
import CBuild
import MicroHTTP
import Understudy

/// The metrics of a server that are read when they are needed.
enum ServerMetrics {
    /// The description of each metric by its name, as docs/operating.md contains it.
    static let descriptions =
        UnderstudyService.metricDescriptions
        .merging(AccountMetrics.descriptions) { $1 }
        .merging(own) { $1 }

    private static let own = [
        "understudy_build_info":
            "Always 1, by the version of the program, that of Understudy, and the commit (empty if it is not known).",
        "understudy_last_reload_successful":
            "1 if the last SIGHUP has reloaded everything that can be reloaded, and before the first one; otherwise 0.",
        "process_cpu_seconds_total": "Processor time that the process has used, in seconds.",
        "process_resident_memory_bytes": "Memory of the machine that the process uses, in bytes.",
        "process_virtual_memory_bytes": "Addresses that the process has mapped, in bytes.",
        "process_open_fds": "Open file descriptors.",
        "process_max_fds": "How many file descriptors the process may open.",
        "process_start_time_seconds": "When the process started, in seconds since 1970.",
        "understudy_memory_limit_bytes": "The limit of the memory of the process's control group, in bytes.",
        "understudy_log_lines_lost_total": "Log lines that were lost because they could not be written fast enough.",
        "understudy_audit_failures_total": "Records of the audit log that could not be written.",
        "understudy_password_hashes_waiting": "Passwords that wait to be hashed or verified.",
        "understudy_password_hashes_total": "Passwords hashed or verified.",
        "understudy_password_hashes_refused_total": "Passwords rejected because too many waited.",
        "understudy_mails_sent_total": "Mails that the mail server has accepted.",
        "understudy_mail_failures_total":
            "Attempts to send a mail that have failed, by kind (temporary or permanent).",
        "understudy_mails_expired_total": "Mails that were not sent because they had expired.",
        "understudy_mails_waiting": "Mails that wait to be sent.",
        "understudy_mails_failed": "Mails that have failed for good.",
        "understudy_oldest_mail_seconds": "How long the oldest of the mails that wait has waited; 0 if none waits.",
        "understudy_clock_difference_seconds":
            "How far the machine's clock is ahead of the database's; negative if it is behind.",
        "understudy_certificate_not_after_timestamp_seconds":
            "When the first certificate of the chain expires, in seconds since 1970.",
    ]

    /// Adds the metrics of the program and of what a server has opened.
    static func collect(
        into registry: PrometheusRegistry,
        _ accounts: OpenedAccounts,
        _ certificate: TLSCredentials?,
        _ mails: MailDelivery?,
        _ log: LogWriter
    ) {
        registry.collect { [version = Application.current.version, database = accounts.database] in
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
            samples += ProcessStatus.samples + accounts.metrics.samples + (mails?.samples ?? [])
            if let clock = database.clock {
                samples.append(.gauge("understudy_clock_difference_seconds", clock.difference / .seconds(1)))
            }
            if let figures = database.pool?.statistics {
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
