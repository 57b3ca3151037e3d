import BundledControllers

/// The email address of a sender, with the name that mail programs show.
public struct MailAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name; `nil` if mail programs show only the address.
    public let name: String?
    /// The address, such as `no-reply@example.org`.
    public let address: String

    /// Parses `no-reply@example.org` or `Understudy <no-reply@example.org>`.
    ///
    /// The address must be one that ``/BundledControllers/EmailValidator`` accepts. The name may contain any characters except quotation
    /// marks, backslashes, angle brackets and control characters.
    public init(_ text: String) throws(SettingError) {
        let start = text.hasSuffix(">") ? text.firstIndex(of: "<") : nil
        if let start {
            let name = text[..<start]
            guard name.hasSuffix(" ") else { throw Self.invalid("there is no name and space before '<'") }
            let trimmed = String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            guard !trimmed.isEmpty else { throw Self.invalid("there is no name before '<'") }
            guard !trimmed.contains(where: #""\<>"#.contains), !trimmed.containsControlCharacter else {
                throw Self.invalid(
                    "the name contains a quotation mark, a backslash, an angle bracket or a control character"
                )
            }
            self.name = trimmed
            address = String(text[text.index(after: start)...].dropLast())
        } else {
            name = nil
            address = text
        }
        guard EmailValidator().isValid(email: address) else {
            throw Self.invalid("the address is not an email address")
        }
    }

    /// The address, after its name if there is one.
    public var description: String { name.map { "\($0) <\(address)>" } ?? address }

    /// The part of the address after the `@`.
    var domain: Substring { address[address.index(after: address.firstIndex(of: "@") ?? address.startIndex)...] }

    private static func invalid(_ reason: String) -> SettingError {
        SettingError(
            "the sender of mails is invalid: \(reason). Expected no-reply@example.org or Understudy <no-reply@example.org>"
        )
    }
}
