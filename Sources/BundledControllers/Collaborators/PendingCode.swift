public import BusinessLogic

/// A one-time code that was sent by email, and that a session waits for.
///
/// The code has 8 digits, is valid for ten minutes and once, and allows five attempts (NIST SP 800-63B-4 section 3.1.3, OWASP ASVS 5.0 chapter 6).
/// The session contains only a salted hash of it, so that it is worth nothing in another session. Sending another code gives no attempts
/// back.
public struct PendingCode: Codable, Equatable, Sendable {
    /// What a code is for.
    public enum Purpose: String, Codable, Sendable {
        /// To choose another password.
        case reset
        /// To confirm the address of an account.
        case confirm
        /// To confirm another address for an account.
        case change
    }

    /// What the code is for.
    public let purpose: Purpose
    /// The address to which it was sent.
    public let email: String
    /// The salted hash of the code, as ``AccountManaging/sendCode(_:to:for:)`` has returned it.
    public let hash: String
    /// What identifies the sign-up that the code confirms; `nil` if it confirms none.
    public let signup: String?
    /// When the code and the count of its attempts end.
    public let expires: Timestamp
    var attempts: Int

    package static let lifetime = Duration.seconds(600)
    package static let maximumAttempts = 5

    /// The attempts are the wrong codes before, which sending another code does not reset.
    init(_ purpose: Purpose, email: String, hash: String, signup: String? = nil, sent: Timestamp, attempts: Int = 0) {
        self.purpose = purpose
        self.email = email
        self.hash = hash
        self.signup = signup
        expires = sent + Self.lifetime
        self.attempts = attempts
    }

    var isExhausted: Bool { attempts >= Self.maximumAttempts }
}

extension Field where Content == String {
    static var mailedCode: Field<String> {
        Field(
            "code",
            isSecret: true,
            fromLink: true,
            maximumLength: 32,
            description: "The code from the mail: eight digits."
        )
    }
}

extension SessionValue where Content == PendingCode? {
    /// The code that a session waits for; the pages that send codes and those that ask for them share it.
    public static var pendingCode: SessionValue { SessionValue("pendingCode", nil) }
}
