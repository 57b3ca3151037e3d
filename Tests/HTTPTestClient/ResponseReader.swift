/// Reads responses from a stream of bytes, independent of sockets.
///
/// A body ends as in `Content-Length`, with its last chunk, or otherwise with the connection.
struct ResponseReader {
    /// The bytes that have arrived and have not been read yet.
    private(set) var bytes: [UInt8] = []

    mutating func append(_ bytes: some Sequence<UInt8>) { self.bytes.append(contentsOf: bytes) }

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
        var response = try TestResponse(head: bytes[..<(end - 4)])
        if try response.isChunked(isHead: isHead) {
            guard let (body, bodyEnd) = try chunkedBody(from: end) else {
                if isAtEnd { throw .closed }
                return nil
            }
            bytes.removeFirst(bodyEnd)
            response.body = body
            return response
        }
        let available = bytes.count - end
        var size = try response.bodySize(isHead: isHead)
        if size == nil, isAtEnd { size = available }
        guard let size, size <= available else {
            if isAtEnd { throw .closed }
            return nil
        }
        response.body = Array(bytes[end..<(end + size)])
        bytes.removeFirst(end + size)
        return response
    }

    /// The chunked body that begins there, and where it ends; `nil` if it has not arrived completely. Trailers are not supported.
    func chunkedBody(from start: Int) throws(TestClientError) -> (body: [UInt8], end: Int)? {
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
    var endOfHead: Int? { bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound }
}

extension TestResponse {
    /// A response from its status line and header fields, without a body.
    fileprivate init(head: ArraySlice<UInt8>) throws(TestClientError) {
        let lines = head.split(separator: Array("\r\n".utf8), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let words = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw .malformed(lines[0])
        }
        var headers: [Header] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed(line) }
            let value = line[line.index(after: colon)...]
            headers.append(
                Header(
                    name: String(line[..<colon]),
                    value: String(value.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                )
            )
        }
        self.init(version: String(words[0]), status: status, reason: String(words[2]), headers: headers, body: [])
    }

    /// Whether the body is chunked.
    fileprivate func isChunked(isHead: Bool) throws(TestClientError) -> Bool {
        guard !isHead, let coding = header("Transfer-Encoding") else { return false }
        guard coding == "chunked" else { throw .malformed("Transfer-Encoding: \(coding)") }
        return true
    }

    /// The length of the body; `nil` if the body ends with the connection.
    fileprivate func bodySize(isHead: Bool) throws(TestClientError) -> Int? {
        if isHead || status < 200 || status == 204 || status == 304 { return 0 }
        guard let length = header("Content-Length") else { return nil }
        guard let size = Int(length), size >= 0 else { throw .malformed("Content-Length: \(length)") }
        return size
    }
}
