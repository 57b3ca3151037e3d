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
        guard var email, email.utf8.count <= 254 else { return false }
        return email.withUTF8 { bytes in
            guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
            let labels = bytes[(at + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return bytes[..<at].allSatisfy(Self.isLocal) && labels.count >= 2 && labels.allSatisfy(Self.isLabel)
        }
    }

    private static func isLabel(_ label: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
        let hyphen = UInt8(ascii: "-")
        return first != hyphen && last != hyphen && label.allSatisfy { $0.isASCIIAlphanumeric || $0 == hyphen }
    }

    /// Whether the byte is a letter, a digit, or one of ``.!#$%&'*+/=?^_`{|}~-``.
    private static func isLocal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x27, 0x2A...0x2B, 0x2D...0x39, 0x3D, 0x3F, 0x41...0x5A, 0x5E...0x7E: true
        default: false
        }
    }
}
