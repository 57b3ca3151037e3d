import BusinessLogic

/// How a running server is, as text for a person.
struct ServerStatus {
    /// The response of `/readyz`.
    let health: (status: Int, body: String)
    let samples: MetricSamples
    /// The servers that use the database; empty if it is not one of PostgreSQL.
    var servers: [ServerProcess] = []
    /// The last errors in the log, the oldest first.
    var errors: [String] = []
    /// The time, in seconds since 1970.
    let now: Double

    /// The number of pages that are listed.
    private static let listedPages = 10

    var lines: [String] {
        var lines = summary.map { Self.padded($0.name, 13) + $0.text }
        if !servers.isEmpty {
            lines += ["", columns("SERVER", "VERSION", "", "")]
            lines += servers.map { columns($0.name, $0.version, "", "") }
        }
        if !slowest.isEmpty {
            lines += ["", columns("PAGE", "EVENT", "REQUESTS", "MEAN")]
            lines += slowest.map { columns($0.page, $0.event, $0.requests, $0.mean) }
        }
        if !problems.isEmpty {
            lines += ["", columns("PROBLEM", "", "REQUESTS")] + problems.map { columns($0.code, "", $0.requests) }
        }
        if !errors.isEmpty { lines += ["", "LAST ERRORS"] + errors }
        return lines
    }

    /// The properties of the server.
    var summary: [(name: String, text: String)] {
        let build = samples["understudy_build_info"].first?.labels ?? [:]
        let commit = build["commit"].flatMap { $0.isEmpty ? nil : ", commit \($0)" } ?? ""
        let requests = sum("understudy_requests_total")
        let failed = samples.sum("understudy_requests_total") { $0["status"]?.hasPrefix("5") == true } ?? 0
        var lines = [
            row("Health", readiness),
            row("Version", (build["version"] ?? "unknown") + commit),
            row("Running", "for \(Self.duration(uptime))"),
            row("Sessions", "\(count("understudy_sessions")), \(bytes("understudy_session_bytes"))"),
            row(
                "Connections",
                "\(count("understudy_connections")), \(count("understudy_waiting_requests")) requests wait for commands"
            ),
            row(
                "Requests",
                "\(Self.integer(requests)), \(Self.decimal(requests / max(1, uptime))) per second, "
                    + "\(Self.integer(failed)) with 5xx"
            ),
            row(
                "Logins",
                "\(count("understudy_logins_total")), \(count("understudy_login_failures_total")) failed"
            ),
        ]
        if samples.sum("understudy_mails_waiting") != nil {
            let failed = count("understudy_mails_failed")
            lines.append(row("Mails", "\(count("understudy_mails_waiting")) wait, \(failed) have failed"))
        }
        lines.append(row("Memory", bytes("process_resident_memory_bytes")))
        if let end = samples.sum("understudy_certificate_not_after_timestamp_seconds") {
            let isValid = end > now
            let duration = Self.duration(abs(end - now))
            lines.append(row("Certificate", isValid ? "expires in \(duration)" : "expired \(duration) ago"))
        }
        return lines
    }

    private var readiness: String {
        let text = health.body.split(separator: "\n").map(String.init)
        if health.status == 200 { return (["ready"] + text.dropFirst()).joined(separator: "; ") }
        let problem = try? JSONReader.read(Array(health.body.utf8)).object
        return "not ready: \(problem?["detail"]?.string ?? "status \(health.status)")"
    }

    /// The pages and events whose requests took the longest on average.
    var slowest: [(page: String, event: String, requests: String, mean: String)] {
        let name = "understudy_request_duration_seconds"
        var sums: [[String]: Double] = [:]
        for sample in samples[name + "_sum"] { sums[Self.key(sample)] = sample.value }
        let pages = samples[name + "_count"].filter { $0.value > 0 }.map { sample in
            (key: Self.key(sample), count: sample.value, mean: (sums[Self.key(sample)] ?? 0) / sample.value)
        }
        return pages.sorted { ($1.mean, $0.key[0]) < ($0.mean, $1.key[0]) }.prefix(Self.listedPages).map { page in
            (
                page.key[0].isEmpty ? "(others)" : page.key[0], page.key[1], Self.integer(page.count),
                "\(Self.decimal(page.mean * 1000)) ms"
            )
        }
    }

    /// How many requests got which problem.
    var problems: [(code: String, requests: String)] {
        samples.sums("understudy_problems_total", by: "code").map { ($0.value, Self.integer($0.sum)) }
    }

    private var uptime: Double { max(0, now - (samples.sum("process_start_time_seconds") ?? now)) }

    private static func key(_ sample: MetricSamples.Sample) -> [String] {
        [sample.labels["page"] ?? "", sample.labels["event"] ?? ""]
    }

    private func sum(_ name: String) -> Double { samples.sum(name) ?? 0 }

    private func count(_ name: String) -> String { Self.integer(sum(name)) }

    private func bytes(_ name: String) -> String { "\(Self.decimal(sum(name) / 1_048_576)) MiB" }

    private func row(_ name: String, _ text: String) -> (name: String, text: String) { (name, text) }

    private func columns(_ texts: String...) -> String {
        let padded = zip(texts, [24, 28, 10, 0]).map { Self.padded($0, $1) }.joined()
        return String(padded.reversed().drop { $0 == " " }.reversed())
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        width == 0 ? text : text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func integer(_ value: Double) -> String {
        Int(exactly: value.rounded()).map { "\($0)" } ?? "\(value)"
    }

    /// A number with one digit after the point.
    private static func decimal(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    /// A duration in the two largest units that it has.
    private static func duration(_ seconds: Double) -> String {
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
}
