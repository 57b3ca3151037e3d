internal import BundledControllers
internal import BusinessLogic

/// A mail as mail servers transmit it (RFC 5322, RFC 2045 to 2047): a head, and a text that may also be there as HTML. It consists of ASCII,
/// in lines of at most 998 bytes.
struct MailMessage: Sendable {
    /// The address of the sender.
    let sender: String
    /// The address of the recipient.
    let recipient: String
    /// The head and the text. All lines end with CRLF.
    let bytes: [UInt8]

    /// The line between the text and the HTML. In quoted-printable, `=` is always before a digit, an upper-case letter or the end of a line.
    private static let boundary = "=_alternative"

    /// - Throws: `MailError.permanent` if the recipient is not an email address, if the subject contains a line break or another control
    ///   character, or if the ID cannot be in a `Message-ID`.
    init(_ mail: Mail, from sender: MailAddress, at time: Timestamp) throws(MailError) {
        guard EmailValidator().isValid(email: mail.recipient) else {
            throw .permanent("the recipient is not an email address")
        }
        guard !mail.subject.containsControlCharacter else {
            throw .permanent("the subject contains a line break or another control character")
        }
        let messageID = "\(mail.id)@\(sender.domain)"
        guard EmailValidator().isValid(email: messageID) else {
            throw .permanent("the ID contains a character that a Message-ID may not contain, or is too long")
        }
        let fields = [
            HeaderField.field("From", sender),
            "To: \(mail.recipient)",
            HeaderField.field("Subject", mail.subject),
            "Date: \(MailDate.text(time))",
            "Message-ID: <\(messageID)>",
            // RFC 3834: no program should respond to it, for example with a notice of absence.
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ]
        self.sender = sender.address
        recipient = mail.recipient
        bytes = Array((fields.map { $0 + "\r\n" }.joined() + Self.content(mail)).utf8)
    }

    private static func content(_ mail: Mail) -> String {
        let text = part("plain", mail.text)
        guard let html = mail.html else { return text }
        let type = "Content-Type: multipart/alternative; boundary=\"\(boundary)\"\r\n"
        // The end of the line before a boundary belongs to the boundary.
        return type + ["", text, part("html", html)].joined(separator: "\r\n--\(boundary)\r\n")
            + "\r\n--\(boundary)--\r\n"
    }

    private static func part(_ type: String, _ text: String) -> String {
        let head = "Content-Type: text/\(type); charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        return head + QuotedPrintable.encode(text)
    }
}
