import Foundation

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

    /// Creates a mail, with a random ID unless you give one.
    public init(
        id: String? = nil,
        recipient: String,
        subject: String,
        text: String,
        html: String? = nil
    ) {
        self.id = id ?? UUID().uuidString.lowercased()
        self.recipient = recipient
        self.subject = subject
        self.text = text
        self.html = html
    }
}
