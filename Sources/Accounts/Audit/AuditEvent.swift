public import Addresses
public import BusinessLogic
import Foundation

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
        /// A user logged in; ``AuditEvent/reason`` names the factor: `passkey`, `authenticatorApp` or `recoveryCode`; `nil` for a password alone.
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
    }

    /// The kind of event.
    public let kind: Kind
    /// When it happened.
    public let time: Timestamp
    /// The account, if there is one.
    public let account: AccountID?
    /// Why a login failed, with what it succeeded, or what was changed, such as `wrongPassword`, `throttled`, `passkey` or `userID`; `nil` for
    /// other events.
    public let reason: String?
    /// The client's IP address; `nil` for an operator's command.
    public let address: IPAddress?
    /// The ID of the request, by which you find it in other logs; `nil` for an operator's command.
    public let requestID: String?

    /// An event.
    public init(
        _ kind: Kind,
        at time: Timestamp,
        account: AccountID? = nil,
        reason: String? = nil,
        client: ClientContext = ClientContext()
    ) {
        self.kind = kind
        self.time = time
        self.account = account
        self.reason = reason
        address = client.address
        requestID = client.requestID
    }

    /// The event as a JSON object without a line feed.
    public var json: String {
        var members: [(String, String?)] = [("time", time.text), ("event", kind.rawValue)]
        members += [
            ("account", account?.text), ("reason", reason), ("address", address?.description), ("requestID", requestID),
        ]
        // No value needs escaping: a client chooses only the request ID, which has letters, digits, '.', '_' and '-'.
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\"\($0)\"" } }.joined(separator: ",")
            + "}"
    }
}

extension Timestamp {
    /// The time in UTC with milliseconds (RFC 3339).
    package var text: String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let second = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601).dropLast()
        return "\(second).\(String(rest + 1000).dropFirst())Z"
    }
}
