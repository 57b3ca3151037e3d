/// The line before a chunk of a body (RFC 9112, section 7.1): its size, and extensions that do not count.
struct ChunkLine: Equatable {
    /// How many bytes the chunk has.
    let size: UInt64

    /// Why a line is refused.
    enum Fault: Error, Equatable {
        /// Something that the grammar does not allow.
        case malformed
        /// A size past 64 bits.
        case tooLarge
    }

    /// Reads what is between the bytes of two chunks, or before the first one.
    ///
    /// - Parameter bytes: the line with CR and LF at its end. The CR and LF that end the chunk before may precede it.
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
        size = significant.reduce(0) { $0 << 4 | UInt64($1.isDigit ? $1 & 0x0F : $1 & 0x0F + 9) }
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

    /// Where the token or the quoted string (RFC 9110, section 5.6.4) ends that the text begins with.
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

/// Finds the lines between the chunks of a body, which libmicrohttpd reads and does not hand out.
///
/// What 0.9 hands out of a body points into its receive buffer, which stays where the head ended. In front of the first
/// part that one read has brought there is nothing but the line of its chunk, after the end of the chunk before; and so between
/// any two parts of one read. So these lines can be checked.
///
/// A line cannot be checked if its read brings no byte of its chunk: libmicrohttpd forgets such a line before it calls anybody.
/// The last line, of size 0, is of this kind.
struct ChunkLines {
    /// Where the receive buffer begins.
    private let start: UnsafeRawPointer
    /// Which read brought the last part, and where that ends.
    private var last: (read: UInt64, end: UnsafeRawPointer)?

    /// - Parameter start: where the head ended.
    init(start: UnsafeRawPointer) {
        self.start = start
    }

    /// The line before a part of the body; `nil` if the part has no line, or it came with an earlier read.
    ///
    /// - Parameter read: tells apart parts of different reads. A read brings a number of parts.
    mutating func line(before part: UnsafeRawBufferPointer, read: UInt64) throws(ChunkLine.Fault) -> ChunkLine? {
        guard let begin = part.baseAddress else { return nil }
        let previous = last.flatMap { $0.read == read ? $0.end : nil } ?? start
        last = (read, begin + part.count)
        guard previous < begin else { return nil }
        return try ChunkLine(UnsafeRawBufferPointer(start: previous, count: begin - previous))
    }
}
