/// Generates valid requests: the same ones for the same seed.
struct RequestGenerator {
    let random: SequenceRandom

    static let token = "ABCXYZabcxyz019!#$%&'*+-.^_`|~".bytes
    static let targetBytes = (0x21...0x7E).filter { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "%") }
    static let valueBytes = [0x09] + (0x20...0x7E) + (0x80...0xFF)

    /// A request. It has a chunked body, after which the connection closes, only if it may be the last one.
    func next(mayBeLast: Bool) -> [UInt8] {
        let method = isChosen() ? "POST" : "X" + bytes(of: Self.token, upTo: 9).text
        var target = "/" + bytes(of: Self.targetBytes, upTo: 200).text
        if isChosen() { target += "%2F%C3?\(random.number(below: 1000))" }
        let prefix = random.number(below: 8) == 0 ? "http://a" : ""
        var request = "\(method) \(prefix)\(target) HTTP/1.1\r\n".bytes
        request += header("Host", "a".bytes)
        for _ in 0..<random.number(below: 16) {
            let name = "x" + bytes(of: Self.token, upTo: 30).text
            request += header(name, bytes(of: Self.valueBytes, upTo: 60))
        }
        let isLast = mayBeLast && isChosen()
        let body = isChosen() || isLast ? bytes(of: Array(0...255), upTo: 2000) : []
        if isLast {
            request += header("Transfer-Encoding", "chunked".bytes, spaceAfter: false)
        } else if !body.isEmpty {
            request += header("Content-Length", "\(body.count)".bytes, spaceAfter: false)
        }
        return request + "\r\n".bytes + (isLast ? chunks(body) : body)
    }

    /// Splits bytes into segments of many lengths.
    func segments(_ bytes: [UInt8], upTo limit: Int = 4000) -> [[UInt8]] {
        var (rest, segments) = (bytes[...], [[UInt8]]())
        while !rest.isEmpty {
            let count = 1 + random.number(below: limit)
            segments.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return segments
    }

    func header(_ name: String, _ value: [UInt8], spaceAfter: Bool = true) -> [UInt8] {
        let (before, after) = (space(), spaceAfter ? space() : [])
        return "\(name):".bytes + before + value + after + "\r\n".bytes
    }

    /// A chunked body, with chunks of at most that many bytes.
    func chunks(_ body: [UInt8], upTo limit: Int = 700) -> [UInt8] {
        var (rest, chunks) = (body[...], [UInt8]())
        while !rest.isEmpty {
            let chunk = rest.prefix(1 + random.number(below: limit))
            rest = rest.dropFirst(chunk.count)
            let zeros = "0".repeated(random.number(below: 3))
            let size = String(chunk.count, radix: 16, uppercase: isChosen())
            let extra = isLibraryStrict ? "" : ["", ";a", ";a=b;c=\"d\\\"\""][random.number(below: 3)]
            chunks += "\(zeros)\(size)\(extra)\r\n".bytes + chunk + [0x0D, 0x0A]
        }
        return chunks + "0\r\n\(isChosen() ? "Trailer: a\r\n" : "")\r\n".bytes
    }

    func space() -> [UInt8] { bytes(of: [0x20, 0x09], upTo: 4) }

    func bytes(of alphabet: some Sequence<some BinaryInteger>, upTo count: Int) -> [UInt8] {
        let alphabet = alphabet.map { UInt8(truncatingIfNeeded: $0) }
        return (0..<random.number(below: count)).map { _ in alphabet[random.number(below: alphabet.count)] }
    }

    func isChosen() -> Bool { random.number(below: 2) == 0 }
}

extension SequenceRandom {
    func number(below limit: Int) -> Int {
        var random = self
        return Int.random(in: 0..<max(1, limit), using: &random)
    }
}
