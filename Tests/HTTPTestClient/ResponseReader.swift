/// Reads responses from a stream of bytes, independent of sockets.
///
/// A body ends as in `Content-Length`, with its last chunk, or otherwise with the connection.
struct ResponseReader {
    /// The bytes that have arrived and have not been read yet.
    private(set) var bytes: [UInt8] = []

    mutating func append(_ bytes: some Sequence<UInt8>) {
        self.bytes.append(contentsOf: bytes)
    }

    /// Removes and returns the bytes that have arrived and have not been read yet.
    mutating func takeAll() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// The next response; `nil` if it has not arrived completely.
    ///
    /// - Parameters:
    ///   - isHead: whether it answers a HEAD request, and so has no body.
    ///   - isAtEnd: whether the connection has ended.
    mutating func next(isHead: Bool, isAtEnd: Bool) throws(TestClientError) -> TestResponse? {
        guard let end = endOfHead else {
            if isAtEnd { throw .closed }
            return nil
        }
        let head = try ResponseHead(bytes[..<(end - 4)])
        if try head.isChunked(isHead: isHead) {
            guard let (body, bodyEnd) = try chunkedBody(from: end) else {
                if isAtEnd { throw .closed }
                return nil
            }
            bytes.removeFirst(bodyEnd)
            return head.response(body: body)
        }
        let available = bytes.count - end
        var size = try head.bodySize(isHead: isHead)
        if size == nil, isAtEnd { size = available }
        guard let size, size <= available else {
            if isAtEnd { throw .closed }
            return nil
        }
        let body = Array(bytes[end..<(end + size)])
        bytes.removeFirst(end + size)
        return head.response(body: body)
    }

    /// The chunked body that begins there, and where it ends; `nil` if it has not arrived completely. Trailers are not supported.
    private func chunkedBody(from start: Int) throws(TestClientError) -> (body: [UInt8], end: Int)? {
        var (body, position) = ([UInt8](), start)
        while true {
            guard let lineEnd = bytes[position...].firstIndex(of: UInt8(ascii: "\r")) else { return nil }
            let line = String(decoding: bytes[position..<lineEnd], as: UTF8.self)
            guard let size = Int(line, radix: 16), size >= 0 else { throw .malformed(line) }
            let content = lineEnd + 2
            guard bytes.count >= content + size + 2 else { return nil }
            guard bytes[content + size] == UInt8(ascii: "\r") else { throw .malformed("the end of a chunk") }
            body += bytes[content..<(content + size)]
            position = content + size + 2
            if size == 0 { return (body, position) }
        }
    }

    /// Where the empty line after the headers ends.
    private var endOfHead: Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        return (mark.count...bytes.count).first { bytes[($0 - mark.count)..<$0].elementsEqual(mark) }
    }
}

/// Status line and header fields.
private struct ResponseHead {
    private let version: String
    private let status: Int
    private let reason: String
    private let headers: [TestResponse.Header]

    init(_ bytes: ArraySlice<UInt8>) throws(TestClientError) {
        let lines = Self.lines(bytes)
        let words = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw .malformed(lines[0])
        }
        version = String(words[0])
        self.status = status
        reason = String(words[2])
        var headers: [TestResponse.Header] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed(line) }
            let value = line[line.index(after: colon)...]
            headers.append(
                TestResponse.Header(
                    name: String(line[..<colon]),
                    value: String(value.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                )
            )
        }
        self.headers = headers
    }

    /// Whether the body is chunked.
    func isChunked(isHead: Bool) throws(TestClientError) -> Bool {
        guard !isHead, let coding = response(body: []).header("Transfer-Encoding") else { return false }
        guard coding == "chunked" else { throw .malformed("Transfer-Encoding: \(coding)") }
        return true
    }

    /// The length of the body; `nil` if the body ends with the connection.
    func bodySize(isHead: Bool) throws(TestClientError) -> Int? {
        let response = response(body: [])
        if isHead || status < 200 || status == 204 || status == 304 { return 0 }
        guard let length = response.header("Content-Length") else { return nil }
        guard let size = Int(length), size >= 0 else { throw .malformed("Content-Length: \(length)") }
        return size
    }

    func response(body: [UInt8]) -> TestResponse {
        TestResponse(version: version, status: status, reason: reason, headers: headers, body: body)
    }

    /// The lines between line ends of CR and LF; at least one.
    private static func lines(_ bytes: ArraySlice<UInt8>) -> [String] {
        var lines: [[UInt8]] = [[]]
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\r"), rest.first == UInt8(ascii: "\n") {
                rest.removeFirst()
                lines.append([])
            } else {
                lines[lines.count - 1].append(byte)
            }
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
