internal import FoundationEssentials

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

    /// A field that contains an address.
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
