import HTTPMessages

/// The line before a chunk of a body (RFC 9112, section 7.1): the size of the chunk, and extensions, which the server ignores.
struct ChunkLine: Equatable {
    let size: UInt64

    enum Fault: Error, Equatable {
        case malformed
        case tooLarge
    }

    /// The line ends with CR and LF. The CR and LF that end the previous chunk may precede it.
    init(_ bytes: some Collection<UInt8>) throws(Fault) {
        var rest = Array(bytes)[...]
        if rest.starts(with: Self.lineEnd) { rest = rest.dropFirst(2) }
        guard rest.suffix(2).elementsEqual(Self.lineEnd) else { throw .malformed }
        rest = rest.dropLast(2)
        let digits = rest.prefix(while: \.isHexadecimalDigit)
        guard !digits.isEmpty else { throw .malformed }
        guard Self.areExtensions(rest.dropFirst(digits.count)) else { throw .malformed }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard significant.count <= 16 else { throw .tooLarge }
        size = significant.reduce(0) { $0 << 4 | UInt64($1.hexadecimalDigit ?? 0) }
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// Whether the text is `;name` or `;name=value`, any number of times, where a value is a token or a quoted string.
    private static func areExtensions(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.drop(while: \.isBlank)
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst().drop(while: \.isBlank)
            let name = rest.prefix(while: \.isTokenByte)
            guard !name.isEmpty else { return false }
            rest = rest[name.endIndex...].drop(while: \.isBlank)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: \.isBlank)
            guard let end = endOfValue(rest) else { return false }
            rest = rest[end...].drop(while: \.isBlank)
        }
        return rest.isEmpty
    }

    /// The end of the token or quoted string (RFC 9110, section 5.6.4) at the start of the text.
    private static func endOfValue(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.first == UInt8(ascii: "\"") else {
            let token = text.prefix(while: \.isTokenByte)
            return token.isEmpty ? nil : token.endIndex
        }
        var index = text.startIndex + 1
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "\"") { return index + 1 }
            if text[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < text.endIndex, text[index] >= 0x20 || text[index] == 0x09, text[index] != 0x7F else {
                return nil
            }
            index += 1
        }
        return nil
    }
}

/// Finds the lines between the chunks of a body, which libmicrohttpd reads without passing them on.
///
/// In one read, 0.9 receives bytes into its buffer, which begins at the end of the head. It then passes on the parts of the body in that
/// buffer. Before the first part of a read, and between two parts of one read, the buffer contains only the end of the previous chunk and
/// the line of the next one. So the server can check these lines.
///
/// The server cannot check a line that arrives in a read without a byte of its chunk, because libmicrohttpd discards such a line before it
/// calls back. The last line, of size 0, is always such a line.
struct ChunkLines {
    private let start: UnsafeRawPointer
    /// The read that contained the last part, and the end of that part.
    private var last: (read: UInt64, end: UnsafeRawPointer)?

    /// The buffer starts at the end of the head.
    init(start: UnsafeRawPointer) {
        self.start = start
    }

    /// `nil` if the part continues a chunk, or the line arrived in an earlier read. The part is the next one that libmicrohttpd passes on, in its
    /// buffer. A read, which has that number, may contain several parts.
    mutating func line(before part: UnsafeRawBufferPointer, read: UInt64) throws(ChunkLine.Fault) -> ChunkLine? {
        guard let begin = part.baseAddress else { return nil }
        let previous = last.flatMap { $0.read == read ? $0.end : nil } ?? start
        last = (read, begin + part.count)
        guard previous < begin else { return nil }
        return try ChunkLine(UnsafeRawBufferPointer(start: previous, count: begin - previous))
    }
}
