@testable import UnderstudyCommandLine

struct AuditReportTests {
    let registry = PrometheusRegistry()
    let log: any AuditLog

    init() { log = AuditReport(factory: registry, logger: .silent).auditLog(in: nil) }

    /// The lines of the exposition that do not say 0.
    var counts: [String] {
        registry.exposition().split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasSuffix(" 0") }
            .map { String($0).replacing("understudy_", with: "") }
    }

    func record(_ kind: AuditEvent.Kind, _ reason: String? = nil, by operator: String? = nil) async {
        await log.record(AuditEvent(kind, at: .ms(0), reason: reason, operatorName: `operator`))
    }

    @Test func `each series starts at 0`() {
        #expect(counts.isEmpty)
        for line in [
            "logins_total{factor=\"password\"}", "login_failures_total{reason=\"throttled\"}",
            "signups_total{result=\"created\"}", "codes_total{result=\"wrong\"}", "logouts_total",
            "account_changes_total{change=\"deleted\"}",
        ] { #expect(registry.exposition().contains("\nunderstudy_\(line) 0\n"), "\(line)") }
    }

    @Test func `each event of a user is counted`() async {
        for (kind, reason) in [
            (.login, nil), (.login, "passkey"), (.loginFailed, "throttled"), (.signup, nil), (.signupOfExisting, nil),
            (.codeSent, nil), (.codeFailed, nil), (.accountChanged, "emailConfirmed"), (.passwordVerified, nil),
            (.logout, nil), (.accountDeleted, nil),
        ] as [(AuditEvent.Kind, String?)] { await record(kind, reason) }
        await record(.accountDeleted, by: "marge")
        #expect(
            counts == [
                "account_changes_total{change=\"deleted\"} 1", "account_changes_total{change=\"emailConfirmed\"} 1",
                "codes_total{result=\"sent\"} 1", "codes_total{result=\"used\"} 1", "codes_total{result=\"wrong\"} 1",
                "login_failures_total{reason=\"throttled\"} 1", "logins_total{factor=\"passkey\"} 1",
                "logins_total{factor=\"password\"} 1", "logouts_total 1", "passwords_verified_total 1",
                "signups_total{result=\"created\"} 1", "signups_total{result=\"existing\"} 1",
            ]
        )
    }

    @Test func `a reason that is not in the list becomes no label`() async {
        await record(.loginFailed, "wrongOrigin")
        await record(.accountChanged, "roles=admin,support")
        for kind in AuditEvent.Kind.allCases { await record(kind, "canary") }
        #expect(counts.contains("login_failures_total{reason=\"passkey\"} 2"))
        #expect(counts.contains("account_changes_total{change=\"other\"} 2"))
        #expect(!registry.exposition().contains("canary"))
    }

    @Test func `an attempt that a limit has rejected is counted by its setting`() {
        let limits = AccountRateLimits(signups: AddressLimit(Rate(1, per: .seconds(60)), limitsLoopback: true))
        registry.collect { limits.samples }
        for _ in 1...3 { _ = limits.signups.take(IPAddress(high: 1, low: 1), at: .ms(1_000)) }
        #expect(counts == ["limits_applied_total{limit=\"signups\"} 2"])
        #expect(registry.exposition().contains("\nunderstudy_limits_applied_total{limit=\"failed-logins\"} 0\n"))
    }
}
