import BundledControllers
import BusinessLogic
import FoundationEssentials
import HTTPMessages

/// A mail as mail servers transmit it (RFC 5322, RFC 2045 to 2047): a head, and a text that may also be there as HTML. It consists of ASCII,
/// in lines of at most 998 bytes.
struct MailMessage: Sendable {
    let sender: String
    let recipient: String
    /// The head and the text. All lines end with CRLF.
    let bytes: [UInt8]

    /// The line between the text and the HTML. In quoted-printable, `=` is always before a digit, an upper-case letter or the end of a line.
    private static let boundary = "=_alternative"

    /// Throws `MailError.permanent` if the recipient, the subject or the ID cannot be in the head of a mail.
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
            "Date: \(httpDate(Int(time.milliseconds / 1000)).dropLast(3))+0000",
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

/// The fields in the head of a message (RFC 5322 section 2.2) with text in any language (RFC 2047). They consist of lines, without the end of the
/// last one.
enum HeaderField {
    /// The maximum length of a line with an encoded word (RFC 2047 section 2).
    private static let lineLength = 76
    /// With so many bytes, an encoded word fits into the first line of each field that the messages have.
    private static let bytesOfWord = 39

    /// A field that contains any text without control characters.
    static func field(_ name: String, _ text: String) -> String {
        let plain = "\(name): \(text)"
        return isPlain(text) && plain.utf8.count <= lineLength ? plain : "\(name): " + encodedWords(text)
    }

    static func field(_ name: String, _ address: MailAddress) -> String {
        guard let person = address.name else { return "\(name): \(address.address)" }
        let plain = "\(name): \"\(person)\" <\(address.address)>"
        if isPlain(person), plain.utf8.count <= lineLength { return plain }
        return "\(name): \(encodedWords(person))\r\n <\(address.address)>"
    }

    /// Whether the text can be in a message as it is.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?") && text.first != " "
            && text.last != " "
    }

    /// The text as encoded words, each on its own line. A reader joins them.
    private static func encodedWords(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = UTF8.encode(scalar).map(Array.init) ?? []
            if words[words.count - 1].count + bytes.count > bytesOfWord { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }
}

/// The content transfer encoding `quoted-printable` (RFC 2045 section 6.7).
enum QuotedPrintable {
    /// The maximum length of an encoded line, without the `=` that says that the line continues.
    private static let lineLength = 75

    /// Encodes a text in UTF-8. The result has lines of at most 76 bytes, all of which end with CRLF.
    ///
    /// - Parameter text: its lines end with LF or CRLF; the end of the last line may be missing.
    static func encode(_ text: String) -> String {
        var result: [UInt8] = []
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // What follows the last line's end.
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            append(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, to: &result)
            result += "\r\n".utf8
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func append(_ line: Substring.UTF8View, to result: inout [UInt8]) {
        var length = 0
        for (index, byte) in zip(line.indices, line) {
            // White space at the end of a line could get lost.
            let isInLine = line.index(after: index) != line.endIndex
            let isPlain = 0x21...0x7E ~= byte || isInLine && (byte == 0x20 || byte == 0x09)
            let encoded =
                isPlain && byte != UInt8(ascii: "=")
                ? [byte] : Array("=\([byte].hexadecimalDigits.uppercased())".utf8)
            if length + encoded.count > lineLength {
                result += "=\r\n".utf8
                length = 0
            }
            result += encoded
            length += encoded.count
        }
    }
}
