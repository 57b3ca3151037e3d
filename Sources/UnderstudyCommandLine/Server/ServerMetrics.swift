import Accounts
import AccountsPostgreSQL
import CBuild
import FoundationEssentials
import Glibc
import MicroHTTP
import RateLimiting
import Understudy

/// The metrics of a server that are read when they are needed.
enum ServerMetrics {
    /// The description of each metric by its name, as docs/observe.md contains it.
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
            samples += ProcessMetrics.samples + accounts.rateLimits.samples + (mails?.samples ?? [])
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
        Self.all.map { setting, limit in
            .counter("understudy_limits_applied_total", Double(self[keyPath: limit].rejectedCount), ("limit", setting))
        }
    }
}

/// What the kernel reports about this process.
enum ProcessMetrics {
    /// The status with the names that all client libraries of Prometheus use; empty if `/proc` cannot be read.
    static var samples: [MetricSample] {
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        // The name of the program, in parentheses, may contain spaces.
        guard let text = FileContent.kernelText("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return [] }
        // From the third field of proc(5) on.
        let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
        guard fields.count > 21, let boot = bootSeconds else { return [] }
        var limit = rlimit()
        let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur != .max
        // One of them reads the folder.
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1) ?? 0
        return [
            .counter("process_cpu_seconds_total", (fields[11] + fields[12]) / ticks),
            .gauge("process_resident_memory_bytes", fields[21] * Double(sysconf(Int32(_SC_PAGESIZE)))),
            .gauge("process_virtual_memory_bytes", fields[20]),
            .gauge("process_open_fds", Double(descriptors)),
            .gauge("process_max_fds", isLimited ? Double(limit.rlim_cur) : .infinity),
            .gauge("process_start_time_seconds", boot + fields[19] / ticks),
            .gauge("understudy_memory_limit_bytes", memoryLimit() ?? .infinity),
        ]
    }

    private static let bootSeconds: Double? = {
        let line = FileContent.kernelText("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
        return line.flatMap { Double($0.dropFirst(6)) }
    }()

    /// The lowest limit of the control group and of those that contain it, in bytes; `nil` without one.
    static func memoryLimit(_ text: (String) -> String? = FileContent.kernelText) -> Double? {
        let groups = (text("/proc/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil as (folder: String, file: String, path: Substring)? }
            // Version 2, and version 1.
            if fields[0] == "0" { return ("/sys/fs/cgroup/", "memory.max", fields[2]) }
            guard fields[1].split(separator: ",").contains("memory") else { return nil }
            return ("/sys/fs/cgroup/memory/", "memory.limit_in_bytes", fields[2])
        }
        let limits = groups.flatMap { group in
            let names = group.path.split(separator: "/")
            return (0...names.count).compactMap { count in
                text(group.folder + names.prefix(count).map { $0 + "/" }.joined() + group.file)
                    .flatMap { Double($0.filter { $0 != "\n" }) }
            }
        }
        // Version 1 writes a number near 2^63 for no limit.
        return limits.filter { $0 < 0x1p62 }.min()
    }
}
