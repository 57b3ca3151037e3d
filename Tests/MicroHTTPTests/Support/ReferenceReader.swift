/// Reads requests according to RFC 9112. The tests compare the server with it. Written for clarity, not for speed.
///
/// It accepts three errors, because libmicrohttpd 0.9.75 leaves no trace of them: before a request, a bare LF, or a line that begins with
/// NUL, which counts as empty; and anywhere, a line that ends with NUL and LF. None of them changes the requests or values that follow.
struct ReferenceReader {
    /// A request as the handler must get it.
    struct Read: Equatable {
        let method, target: [UInt8]
        let headers: [[[UInt8]]]
        /// `nil` if the body is chunked, because libmicrohttpd 0.9.75 tolerates more than the RFC.
        let body: [UInt8]?
        /// Whether nothing is read after it.
        let isLast: Bool
    }

    var rest: ArraySlice<UInt8>

    /// The requests at the beginning, up to one that is invalid or incomplete, or after which the connection closes.
    static func requests(in bytes: [UInt8]) -> [Read] {
        var reader = ReferenceReader(rest: bytes[...])
        var requests: [Read] = []
        while let request = reader.next() {
            requests.append(request)
            if request.isLast { break }
        }
        return requests
    }

    mutating func next() -> Read? {
        // RFC 9112, section 2.2: skips empty lines before a request.
        while rest.starts(with: [13, 10]) || rest.first == 10 || rest.first == 0 {
            guard let end = rest.firstIndex(of: 10) else { return nil }
            rest = rest[(end + 1)...]
        }
        guard let line = line() else { return nil }
        let words = line.split(separator: 32, omittingEmptySubsequences: false)
        guard words.count == 3, Self.isToken(words[0]) else { return nil }
        let isVersion11 = words[2].elementsEqual("HTTP/1.1".utf8)
        guard isVersion11 || words[2].elementsEqual("HTTP/1.0".utf8) else { return nil }
        guard let headers = headers(), let target = Self.target(words[1], headers, isVersion11) else { return nil }
        func values(_ name: String) -> [[UInt8]] { headers.filter { $0[0] == name.bytes }.map { $0[1] } }
        let (lengths, codings) = (values("content-length"), values("transfer-encoding"))
        guard lengths.count + codings.count <= 1 else { return nil }
        let closes = !isVersion11 || !values("connection").isEmpty
        if let coding = codings.first {
            guard isVersion11, coding.text.lowercased() == "chunked" else { return nil }
            return Read(method: Array(words[0]), target: target, headers: headers, body: nil, isLast: true)
        }
        var count = 0
        if let length = lengths.first {
            guard !length.isEmpty, length.count < 10, length.allSatisfy({ (48...57).contains($0) }) else { return nil }
            count = length.reduce(0) { 10 * $0 + Int($1 - 48) }
        }
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Read(
            method: Array(words[0]),
            target: target,
            headers: headers,
            body: Array(rest.prefix(count)),
            // A request that expects 100-continue without a body gets its response, and the connection closes.
            isLast: closes || count == 0 && !values("expect").isEmpty
        )
    }

    /// The next line without its CR and LF, which must not occur elsewhere.
    mutating func line() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 10), end > rest.startIndex, [13, 0].contains(rest[end - 1]) else {
            return nil
        }
        let line = rest[..<(end - 1)]
        rest = rest[(end + 1)...]
        return line.contains(13) ? nil : line
    }

    mutating func headers() -> [[[UInt8]]]? {
        var headers: [[[UInt8]]] = []
        while let line = line() {
            if line.isEmpty { return headers }
            guard let colon = line.firstIndex(of: 58), Self.isToken(line[..<colon]) else { return nil }
            var value = line[(colon + 1)...]
            value = value.drop { $0 == 32 || $0 == 9 }
            while let last = value.last, last == 32 || last == 9 { value.removeLast() }
            guard value.allSatisfy({ $0 == 9 || (32...126).contains($0) || $0 >= 128 }) else { return nil }
            headers.append([line[..<colon].map(Self.lowercased), Array(value)])
        }
        return nil
    }

    /// Path and query (RFC 9112, section 3.2), in visible ASCII.
    static func target(_ word: ArraySlice<UInt8>, _ headers: [[[UInt8]]], _ isVersion11: Bool) -> [UInt8]? {
        let hosts = headers.filter { $0[0] == "host".bytes }.map { $0[1] }
        guard hosts.count == 1 || hosts.isEmpty && !isVersion11 else { return nil }
        guard word.allSatisfy({ (33...126).contains($0) && $0 != 35 }) else { return nil }
        let text = word.text
        guard !text.contains("%00") else { return nil }
        if text == "*" { return Array(word) }
        // RFC 9110, section 4.2: a URI names a host.
        guard hosts.first.map({ $0.isEmpty || $0[0] == 58 }) != true else { return nil }
        if word.first == 47 { return Array(word) }
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            let host = hosts.first.map(\.text) ?? String(authority)
            guard !authority.isEmpty, authority.lowercased() == host.lowercased() else { return nil }
            let path = rest.dropFirst(authority.count)
            if path.isEmpty { return [47] }
            if path.first == "/" { return path.bytes }
            if path.first == "?" { return ("/" + path).bytes }
        }
        return nil
    }

    static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
}
