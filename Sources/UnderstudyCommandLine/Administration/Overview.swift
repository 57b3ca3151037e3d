import BusinessLogic
import Understudy

/// How a server is: what `understudy status` prints.
struct Overview: Sendable {
    /// The properties of the server, as texts for a person.
    struct Facts: ObjectValue {
        /// The response of `/readyz`.
        let health: (status: Int, body: String)
        let samples: [MetricSample]
        /// The time, in seconds since 1970.
        let now: Double
    }

    struct PageTime: ObjectValue {
        let page: String
        let event: String
        let requests: String
        let mean: String

        static let object = ObjectSchema<PageTime>(
            showing: Member("page", \.page),
            Member("event", \.event),
            Member("requests", \.requests),
            Member("mean", \.mean)
        )
    }

    struct ProblemCount: ObjectValue {
        let problem: String
        let requests: String

        static let object = ObjectSchema<ProblemCount>(
            showing: Member("problem", \.problem),
            Member("requests", \.requests)
        )
    }

    let facts: Facts
    /// The servers that use the database; empty if it is not one of PostgreSQL.
    var servers: [ServerProcess] = []
    /// The last errors in the log, the oldest first.
    var errors: [String] = []
    var lastHour: [LastHour.Line] = []
    /// The ``durations`` that ``slowest`` does not count, because they are earlier.
    var earlierDurations: [MetricSample] = []

    /// The metrics of the requests of each page.
    static let durations = ["_count", "_sum"].map { "understudy_request_duration_seconds" + $0 }

    var problems: [ProblemCount] {
        let counts = Dictionary(grouping: facts.samples.named("understudy_problems_total")) { $0["code"] ?? "" }
            .mapValues { $0.reduce(0) { $0 + $1.value } }
        return counts.filter { $0.value != 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { ProblemCount(problem: $0.key, requests: integer($0.value)) }
    }

    /// The ten pages whose requests took the longest on average, in the last five minutes.
    var slowest: [PageTime] {
        func values(_ name: String) -> [[String]: Double] {
            func values(_ samples: [MetricSample], _ sign: Double) -> [([String], Double)] {
                samples.named(name).map { ([$0["page"] ?? "", $0["event"] ?? ""], sign * $0.value) }
            }
            return Dictionary(values(facts.samples, 1) + values(earlierDurations, -1), uniquingKeysWith: +)
        }
        let (counts, sums) = (values(Self.durations[0]), values(Self.durations[1]))
        let pages = counts.filter { $0.value > 0 }.map { key, count in
            (key: key, count: count, mean: (sums[key] ?? 0) / count)
        }
        return pages.sorted { ($1.mean, $0.key[0]) < ($0.mean, $1.key[0]) }.prefix(10).map { page in
            PageTime(
                page: page.key[0].isEmpty ? "(others)" : page.key[0],
                event: page.key[1],
                requests: integer(page.count),
                mean: "\(decimal(page.mean * 1000)) ms"
            )
        }
    }

    // MARK: Text

    var lines: [String] {
        var lines = (facts.screenValue.object ?? [:]).compactMap { name, value in
            value.string.map { row([name.prefix(1).uppercased() + name.dropFirst(), $0], widths: [12]) }
        }
        func add(_ head: [String], _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            lines += [""] + ([head] + rows).map { row($0, widths: [23, 27, 9]) }
        }
        add(["SERVER", "VERSION"], servers.map { [$0.name, $0.version] })
        add(["", "LAST MINUTE", "", "AT MOST IN THE LAST HOUR"], lastHour.map { [$0.name, $0.last, "", $0.maximum] })
        let slowest = self.slowest.map { [$0.page, $0.event, $0.requests, $0.mean] }
        add(["LAST FIVE MINUTES", "EVENT", "REQUESTS", "MEAN"], slowest)
        add(["PROBLEM", "", "REQUESTS"], problems.map { [$0.problem, "", $0.requests] })
        if !errors.isEmpty { lines += ["", "LAST ERRORS"] + errors }
        return lines
    }

    private func row(_ texts: [String], widths: [Int]) -> String { String.row(texts, widths: widths, separator: " ") }
}

extension Overview.Facts {
    static let object = ObjectSchema<Self>(
        showing: Member("health", \.readiness),
        Member("version", \.version),
        Member("running") { "for \(duration($0.uptime))" },
        Member("sessions") { "\($0.count("understudy_sessions")), \($0.bytes("understudy_session_bytes"))" },
        Member("connections", \.connections),
        Member("requests", \.requests),
        Member("logins") {
            "\($0.count("understudy_logins_total")), \($0.count("understudy_login_failures_total")) failed"
        },
        Member("mails", \.mails),
        Member("memory") { $0.bytes("process_resident_memory_bytes") },
        Member("database", \.database),
        Member("certificate", \.certificate)
    )

    private func sum(_ name: String) -> Double { samples.sum(name) ?? 0 }
    private func count(_ name: String) -> String { integer(sum(name)) }
    private func bytes(_ name: String) -> String { "\(decimal(sum(name) / 1_048_576)) MiB" }

    private var uptime: Double { max(0, now - (samples.sum("process_start_time_seconds") ?? now)) }

    private var version: String {
        let build = samples.named("understudy_build_info").first
        let commit = build?["commit"].flatMap { $0.isEmpty ? nil : ", commit \($0)" } ?? ""
        return (build?["version"] ?? "unknown") + commit
    }

    private var connections: String {
        "\(count("understudy_connections")), \(count("understudy_waiting_requests")) requests wait for commands"
    }

    private var requests: String {
        let requests = sum("understudy_requests_total")
        let failed = integer(samples.serverErrors)
        return "\(integer(requests)), \(decimal(requests / max(1, uptime))) per second, \(failed) with 5xx"
    }

    /// `nil` if the server sends no mails.
    private var mails: String? {
        samples.sum("understudy_mails_waiting").map {
            "\(integer($0)) wait, \(count("understudy_mails_failed")) have failed"
        }
    }

    /// How large the database is, and when it was backed up; `nil` without one.
    private var database: String? {
        guard let size = samples.sum("understudy_database_bytes") else { return nil }
        let backup = samples.sum("understudy_last_backup_timestamp_seconds").map {
            $0 == 0 ? ", no backup" : ", last backup \(duration(max(0, now - $0))) ago"
        }
        let records = count("understudy_audit_records")
        let text = "\(decimal(size / 1_048_576)) MiB, \(records) audit record\(records == "1" ? "" : "s")"
        return text + (backup ?? "")
    }

    /// When the certificate expires; `nil` without one.
    private var certificate: String? {
        samples.sum("understudy_certificate_not_after_timestamp_seconds").map { end in
            end > now ? "expires in \(duration(end - now))" : "expired \(duration(now - end)) ago"
        }
    }

    /// `ready`, or why the server is not.
    private var readiness: String {
        let text = health.body.split(separator: "\n").map(String.init)
        if health.status == 200 { return (["ready"] + text.dropFirst()).joined(separator: "; ") }
        let problem = try? JSONReader.read(Array(health.body.utf8)).object
        return "not ready: \(problem?["detail"]?.string ?? "status \(health.status)")"
    }
}

extension [MetricSample] {
    /// The samples of a metric; empty if it is missing.
    func named(_ name: String) -> [MetricSample] { filter { $0.name == name } }

    /// The sum of a metric's samples; `nil` if it is missing.
    func sum(_ name: String) -> Double? {
        let samples = named(name)
        return samples.isEmpty ? nil : samples.reduce(0) { $0 + $1.value }
    }

    var serverErrors: Double { filter { $0["status"]?.hasPrefix("5") == true }.sum("understudy_requests_total") ?? 0 }
}

func integer(_ value: Double) -> String { Int(exactly: value.rounded()).map { "\($0)" } ?? "\(value)" }

/// A number with one digit after the point.
func decimal(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

/// A duration in the two largest units that it has.
private func duration(_ seconds: Double) -> String {
    let seconds = Int(exactly: min(seconds, 1e12).rounded(.down)) ?? 0
    let units = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
    let first = units.firstIndex { seconds >= $0.1 } ?? units.count - 1
    var rest = seconds
    var parts: [String] = []
    for (unit, size) in units[first...].prefix(2) {
        parts.append("\(rest / size) \(unit)")
        rest %= size
    }
    return parts.joined(separator: " ")
}
