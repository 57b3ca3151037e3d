internal import BusinessLogic

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
