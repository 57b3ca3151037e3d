import Accounts
import CoreMetrics
import RateLimiting
import SessionStorage
import Synchronization

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

    /// The reasons of failed logins that have a series of their own. The others, of passkeys that were rejected, are counted as `passkey`.
    private static let failures = [
        "unknownUser", "wrongPassword", "throttled", "disabled", "wrongCode", "wrongRecoveryCode", "passkey",
    ]
    /// The changes that have a series of their own. The others are counted as `other`.
    private static let changes = [
        "password", "passwordReset", "email", "emailConfirmed", "contactEmail", "userID", "passkeyAdded",
        "passkeyRemoved", "authenticatorAppAdded", "authenticatorAppRemoved", "recoveryCodesCreated",
        "recoveryCodeUsed", "factorsRemoved", "sessionEnded", "otherSessionsEnded", "sessionsEnded", "deviceEnded",
        "deleted", "other",
    ]

    private let destination: any AuditLog
    private let logins, failures, signups, codes, changes: [String: Counter]
    private let verifiedPasswords, suspectedPasskeys, logouts: Counter
    private let limits: [(limit: AddressLimit, rejected: Counter)]
    private let counted: Mutex<[Int]>

    /// - Parameters:
    ///   - destination: the audit log that gets the events.
    ///   - limits: the limits of clients' addresses.
    init(_ destination: any AuditLog, limits: AccountRateLimits, factory: any MetricsFactory) {
        func counters(_ name: String, _ label: String, _ values: [String]) -> [String: Counter] {
            let counters = values.map { ($0, Counter(label: name, dimensions: [(label, $0)], factory: factory)) }
            return Dictionary(uniqueKeysWithValues: counters)
        }
        self.destination = destination
        let factors = ["password", "passkey", "authenticatorApp", "recoveryCode"]
        logins = counters("understudy_logins_total", "factor", factors)
        failures = counters("understudy_login_failures_total", "reason", Self.failures)
        signups = counters("understudy_signups_total", "result", ["created", "existing"])
        codes = counters("understudy_codes_total", "result", ["sent", "used", "wrong"])
        changes = counters("understudy_account_changes_total", "change", Self.changes)
        verifiedPasswords = Counter(label: "understudy_passwords_verified_total", factory: factory)
        suspectedPasskeys = Counter(label: "understudy_passkeys_suspected_total", factory: factory)
        logouts = Counter(label: "understudy_logouts_total", factory: factory)
        let named: [(Setting<RateSetting>, AddressLimit)] = [
            (Settings.logins, limits.logins), (Settings.failedLogins, limits.failedLogins),
            (Settings.signups, limits.signups), (Settings.codes, limits.codes),
        ]
        self.limits = named.map { setting, limit in
            let dimensions = [("limit", setting.name)]
            return (limit, Counter(label: "understudy_limits_applied_total", dimensions: dimensions, factory: factory))
        }
        counted = Mutex(named.map { _ in 0 })
    }

    func record(_ event: AuditEvent) async {
        count(event)
        await destination.record(event)
    }

    func recordAtCommit(_ event: AuditEvent) async {
        UnitOfWork.afterCommit { [self] in count(event) }
        await destination.recordAtCommit(event)
    }

    /// Updates the metrics of the limits.
    func update() {
        counted.withLock { counted in
            for (index, (limit, rejected)) in limits.enumerated() {
                let total = limit.rejectedCount
                rejected.increment(by: total - counted[index])
                counted[index] = total
            }
        }
    }

    private func count(_ event: AuditEvent) {
        switch event.kind {
        case .login: logins[event.reason ?? "password"]?.increment()
        case .loginFailed: (failures[event.reason ?? ""] ?? failures["passkey"])?.increment()
        case .passwordVerified: verifiedPasswords.increment()
        case .passkeySuspected: suspectedPasskeys.increment()
        case .logout: logouts.increment()
        case .signup: signups["created"]?.increment()
        case .signupOfExisting: signups["existing"]?.increment()
        case .codeSent: codes["sent"]?.increment()
        case .codeFailed: codes["wrong"]?.increment()
        case .accountChanged:
            (changes[event.reason ?? ""] ?? changes["other"])?.increment()
            if ["passwordReset", "email", "emailConfirmed"].contains(event.reason) { codes["used"]?.increment() }
        case .accountDeleted: changes["deleted"]?.increment()
        // What operators' commands do, which are other processes.
        case .accountAdded, .productsImported, .mailRetried, .mailDiscarded, .sessionEnded, .operatorLogin,
            .operatorLoginFailed, .operatorLogout, .backupCreated, .databaseMigrated, .databaseCopied,
            .databaseRestored, .databaseLossAccepted, .auditPruned:
            break
        }
    }
}
