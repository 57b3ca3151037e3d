public import BusinessLogic
import FoundationEssentials

/// An email to one person. The mailer adds the sender.
public struct Mail: Equatable, Sendable {
    /// Identifies the mail, also if it is sent twice: the part of its `Message-ID` before the `@` (RFC 5322 section 3.6.4). A UUID in lower
    /// case unless you have chosen another one.
    public let id: String
    /// The address of the recipient.
    public let recipient: String
    /// The subject: one line.
    public let subject: String
    /// The text. Its lines end with a line feed.
    public let text: String
    /// The same as HTML; `nil` if the mail has only a text.
    public let html: String?
    /// When the mail loses its purpose, such as the end of a code in it: then it is no longer sent. `nil` if it never does.
    public let expires: Timestamp?

    /// The maximum size of the recipient, the subject, the text and the HTML together, in bytes of UTF-8: 256 KiB.
    public static let maximumSize = 256 << 10
    /// The maximum length of the ID, in bytes of UTF-8.
    public static let maximumIDLength = 200

    /// Creates a mail, with a random ID unless you give one.
    public init(
        id: String? = nil,
        recipient: String,
        subject: String,
        text: String,
        html: String? = nil,
        expires: Timestamp? = nil
    ) {
        self.id = id ?? UUID().uuidString.lowercased()
        (self.recipient, self.subject, self.text, self.html) = (recipient, subject, text, html)
        self.expires = expires
    }

    package func requireSize() throws(MailTooLong) {
        let size = [recipient, subject, text, html ?? ""].reduce(0) { $0 + $1.utf8.count }
        guard size <= Self.maximumSize, id.utf8.count <= Self.maximumIDLength else { throw MailTooLong() }
    }
}

/// A mail is larger than ``Mail/maximumSize``, or its ID is longer than ``Mail/maximumIDLength``.
public struct MailTooLong: Error, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    public var description: String {
        "a mail can have \(Mail.maximumSize) bytes, and its ID \(Mail.maximumIDLength) bytes"
    }
}
