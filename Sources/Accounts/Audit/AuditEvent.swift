public import Addresses
public import BusinessLogic

/// One record of the audit log: what happened to which account, when and from where. It contains no secrets and no names
/// that a user typed, because users sometimes type a password into the wrong field.
public struct AuditEvent: Equatable, Sendable {
    /// The kinds of events.
    public enum Kind: String, Sendable, CaseIterable {
        /// A user created an account.
        case signup
        /// An operator added an account.
        case accountAdded
        /// A user signed up with an email address that has an account. You may want to inform the account's user.
        case signupOfExisting
        /// A user logged in; ``AuditEvent/reason`` names the factor: `passkey`, `authenticatorApp` or `recoveryCode`; `nil` for a password alone. It
        /// is `agent` if an agent has begun a session in place of its user.
        case login
        /// The password of a login was right, and a second factor must complete it.
        case passwordVerified
        /// A user logged in with a passkey whose counter has not grown, so that it may have been copied (WebAuthn section 6.1.1).
        case passkeySuspected
        /// A login failed; ``AuditEvent/reason`` says why.
        case loginFailed
        /// A code was sent by email.
        case codeSent
        /// A wrong code was entered.
        case codeFailed
        /// A user logged out.
        case logout
        /// An account was changed; ``AuditEvent/reason`` names the change.
        case accountChanged
        /// An account was deleted.
        case accountDeleted
        /// An operator imported products; ``AuditEvent/reason`` is their number.
        case productsImported
        /// An operator had a mail sent again; ``AuditEvent/reason`` is its ID.
        case mailRetried
        /// An operator discarded a mail; ``AuditEvent/reason`` is its ID.
        case mailDiscarded
        /// An operator ended a session; ``AuditEvent/reason`` is the hash of its ID that logs contain.
        case sessionEnded
        /// An operator logged in on the port for operators.
        case operatorLogin
        /// A wrong token was entered on the port for operators.
        case operatorLoginFailed
        /// An operator logged out on the port for operators.
        case operatorLogout
        /// An operator backed up the database; ``AuditEvent/reason`` is the path of the copy.
        case backupCreated
        /// An operator had the tables of a database changed to another version; ``AuditEvent/reason`` is the version.
        case databaseMigrated
        /// An operator copied a database to this one; ``AuditEvent/reason`` is the path of the original.
        case databaseCopied
        /// An operator replaced the database by a backup; ``AuditEvent/reason`` is the path of the backup.
        case databaseRestored
        /// An operator continued with a database whose last changes are lost; ``AuditEvent/reason`` is its path.
        case databaseLossAccepted
        /// An operator deletes old records of the audit log; ``AuditEvent/reason`` contains the time before which records are
        /// deleted, and the hash of the last of them.
        case auditPruned
    }

    /// The kind of event.
    public let kind: Kind
    /// When it happened.
    public let time: Timestamp
    /// The account, if there is one.
    public let account: AccountID?
    /// Why a login failed, with what it succeeded, what was changed, such as `wrongPassword`, `throttled`, `passkey` or `userID`, or what an
    /// operator used, as the kinds say; `nil` for other events.
    public let reason: String?
    /// The ID of the agent that was added or ended, or has begun a session; `nil` for other events. The data that a user or an operator
    /// exports has the agent's name.
    public var agent: String?
    /// The IP address of the client, or of the operator's browser; `nil` for an operator's command.
    public var address: IPAddress?
    /// The ID of the request, by which you find it in other logs; `nil` for an operator's command.
    public var requestID: String?
    /// The name of the operator who made the change; `nil` for what users do.
    public var operatorName: String?

    /// An event.
    public init(
        _ kind: Kind,
        at time: Timestamp,
        account: AccountID? = nil,
        reason: String? = nil,
        client: ClientContext = ClientContext(),
        operatorName: String? = nil
    ) {
        (self.kind, self.time, self.account, self.reason) = (kind, time, account, reason)
        address = client.address
        requestID = client.requestID
        self.operatorName = operatorName
    }

    /// The event as a JSON object without a line feed.
    public var json: String { json(after: nil) }

    /// The record of the event in a chain, without a line feed. `previous` is the hash of the record before; `nil` for the first record.
    package func json(after previous: String?) -> String {
        let members: [(String, String?)] = [
            ("time", time.text), ("event", kind.rawValue), ("account", account?.text), ("reason", reason),
            ("agent", agent), ("address", address?.description), ("requestID", requestID), ("operator", operatorName),
            ("previous", previous),
        ]
        let known = members.compactMap { name, value in value.map { "\"\(name)\":\(Value.string($0))" } }
        return "{\(known.joined(separator: ","))}"
    }

    /// Why a login with a password or a code failed. That of a passkey has other reasons.
    enum LoginFailure: String, CaseIterable {
        case unknownUser, wrongPassword, throttled, disabled, wrongCode, wrongRecoveryCode
    }

    /// What users change in their accounts.
    enum Change: String, CaseIterable {
        case password, passwordReset, email, emailConfirmed, contactEmail, userID, passkeyAdded, passkeyRemoved
        case authenticatorAppAdded, authenticatorAppRemoved, recoveryCodesCreated, recoveryCodeUsed, factorsRemoved
        case sessionEnded, otherSessionsEnded, sessionsEnded, deviceEnded, agentAdded, agentEnded
    }

    /// A series of a metric that counts events.
    package struct Series: Hashable, Sendable {
        /// The name without what all metrics begin and end with.
        package let metric: String
        /// The label; `nil` for a metric without one.
        package let label: String?
        package let value: String

        /// All series, so that each starts at 0.
        package static let all = Set(Kind.allCases.flatMap(\.series) + [codeUsed])

        fileprivate static let codeUsed = Series(metric: "codes", label: "result", value: "used")
    }

    /// The series that count the event; empty for what operators do.
    package var series: [Series] {
        guard operatorName == nil else { return [] }
        let value = reason ?? (kind == .login ? "password" : "")
        let series = kind.series.first { $0.value == value } ?? (kind == .login ? nil : kind.series.last)
        let usesCode = [Change.passwordReset, .email, .emailConfirmed].contains { $0.rawValue == reason }
        return [series, kind == .accountChanged && usesCode ? .codeUsed : nil].compactMap(\.self)
    }
}

extension AuditEvent.Kind {
    /// The series that count events of the kind. Except for logins, the last one is for reasons without a series of their own.
    fileprivate var series: [AuditEvent.Series] {
        let (metric, label, values): (String, String?, [String])
        switch self {
        case .login:
            let factors = ["password", "passkey", "authenticatorApp", "recoveryCode", "agent"]
            (metric, label, values) = ("logins", "factor", factors)
        case .loginFailed:
            let failures = AuditEvent.LoginFailure.allCases.map(\.rawValue)
            (metric, label, values) = ("login_failures", "reason", failures + ["passkey"])
        case .passwordVerified: (metric, label, values) = ("passwords_verified", nil, [""])
        case .passkeySuspected: (metric, label, values) = ("passkeys_suspected", nil, [""])
        case .logout: (metric, label, values) = ("logouts", nil, [""])
        case .signup: (metric, label, values) = ("signups", "result", ["created"])
        case .signupOfExisting: (metric, label, values) = ("signups", "result", ["existing"])
        case .codeSent: (metric, label, values) = ("codes", "result", ["sent"])
        case .codeFailed: (metric, label, values) = ("codes", "result", ["wrong"])
        case .accountChanged:
            let changes = AuditEvent.Change.allCases.map(\.rawValue)
            (metric, label, values) = ("account_changes", "change", changes + ["other"])
        case .accountDeleted: (metric, label, values) = ("account_changes", "change", ["deleted"])
        // What operators do.
        default: return []
        }
        return values.map { AuditEvent.Series(metric: metric, label: label, value: $0) }
    }
}

extension Timestamp {
    /// The time in UTC with milliseconds (RFC 3339).
    package var text: String { milliseconds % 1000 == 0 ? description.dropLast() + ".000Z" : description }

    /// The time in UTC, to the second: `2026-07-01T12:00:00Z`.
    package var brief: String { description.prefix(19) + "Z" }
}
