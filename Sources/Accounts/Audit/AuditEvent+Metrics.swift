extension AuditEvent {
    /// Why a login with a password or a code failed. That of a passkey has other reasons.
    enum LoginFailure: String, CaseIterable {
        case unknownUser, wrongPassword, throttled, disabled, wrongCode, wrongRecoveryCode
    }

    /// What users change in their accounts.
    enum Change: String, CaseIterable {
        case password, passwordReset, email, emailConfirmed, contactEmail, userID, passkeyAdded, passkeyRemoved
        case authenticatorAppAdded, authenticatorAppRemoved, recoveryCodesCreated, recoveryCodeUsed, factorsRemoved
        case sessionEnded, otherSessionsEnded, sessionsEnded, deviceEnded
    }

    /// A metric that counts events.
    package struct Series: Hashable, Sendable {
        /// The name without what all metrics begin and end with.
        package let metric: String
        /// The label; `nil` for a metric without one.
        package var label: String?
        package var value = ""

        /// All series, so that each starts at 0.
        package static let all = Set(Kind.allCases.flatMap(\.series)).union([codeUsed])

        fileprivate static let codeUsed = Series(metric: "codes", label: "result", value: "used")
    }

    /// The series that count the event; empty for what operators do.
    package var series: [Series] {
        guard operatorName == nil else { return [] }
        let all = kind.series
        let value = reason ?? (kind == .login ? "password" : "")
        let series = all.first { $0.value == value } ?? (kind == .login ? nil : all.last)
        let usesCode = [Change.passwordReset, .email, .emailConfirmed].contains { $0.rawValue == reason }
        return (series.map { [$0] } ?? []) + (kind == .accountChanged && usesCode ? [.codeUsed] : [])
    }
}

extension AuditEvent.Kind {
    /// The series that count events of the kind. Except for logins, the last one is for reasons without a series of their own.
    fileprivate var series: [AuditEvent.Series] {
        func series(_ metric: String, _ label: String, _ values: [String]) -> [AuditEvent.Series] {
            values.map { AuditEvent.Series(metric: metric, label: label, value: $0) }
        }
        return switch self {
        case .login: series("logins", "factor", ["password", "passkey", "authenticatorApp", "recoveryCode"])
        case .loginFailed:
            series("login_failures", "reason", AuditEvent.LoginFailure.allCases.map(\.rawValue) + ["passkey"])
        case .passwordVerified: [AuditEvent.Series(metric: "passwords_verified")]
        case .passkeySuspected: [AuditEvent.Series(metric: "passkeys_suspected")]
        case .logout: [AuditEvent.Series(metric: "logouts")]
        case .signup: series("signups", "result", ["created"])
        case .signupOfExisting: series("signups", "result", ["existing"])
        case .codeSent: series("codes", "result", ["sent"])
        case .codeFailed: series("codes", "result", ["wrong"])
        case .accountChanged:
            series("account_changes", "change", AuditEvent.Change.allCases.map(\.rawValue) + ["other"])
        case .accountDeleted: series("account_changes", "change", ["deleted"])
        // What operators do.
        default: []
        }
    }
}
