public import BusinessLogic

/// Decides which email addresses are valid.
public protocol EmailValidating: Sendable {
    /// Whether the text is a valid email address. `nil` is invalid.
    func isValid(email: String?) -> Bool
}

extension Message {
    /// The email address is invalid.
    public static let invalidEmail = Message(
        code: "email.invalid",
        text: "This is not an email address",
        field: "email"
    )
}

/// The HTML standard's rule for a valid e-mail address (section "Email state" of `input`), with at least one dot in the
/// domain, and at most 254 bytes (RFC 5321, section 4.5.3.1.3, less the angle brackets). `lisa@rules` is invalid.
public struct EmailValidator: EmailValidating {
    /// Creates a validator.
    public init() {}

    public func isValid(email: String?) -> Bool {
        guard let bytes = email?.utf8, bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else {
            return false
        }
        let local = bytes[..<at]
        let labels = bytes[bytes.index(after: at)...].split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        return !local.isEmpty && local.allSatisfy(Self.isLocal) && labels.count >= 2 && labels.allSatisfy(Self.isLabel)
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
        let hyphen = UInt8(ascii: "-")
        return first != hyphen && last != hyphen && label.allSatisfy { $0.isASCIIAlphanumeric || $0 == hyphen }
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }
}
