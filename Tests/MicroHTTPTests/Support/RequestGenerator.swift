import TestSupport

/// Generates valid requests: the same ones for the same seed.
struct RequestGenerator {
    /// A request's bytes, and what the handler must get.
    struct Sample {
        var bytes: [UInt8] = []
        var method = ""
        var target = ""
        var headers: [(name: [UInt8], value: [UInt8])] = []
        var body: [UInt8] = []
        /// Whether the connection closes after it, as after a chunked body.
        var isLast = false
    }

    private var random: SequenceRandom

    init(seed: UInt64) {
        random = SequenceRandom(seed: seed)
    }

    private static let token = Array("ABCXYZabcxyz019!#$%&'*+-.^_`|~".utf8)
    private static let targetBytes = (0x21...0x7E).filter { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "%") }
    private static let valueBytes = [0x09] + (0x20...0x7E) + (0x80...0xFF)

    /// A request. It has a chunked body only if the connection may end.
    mutating func next(mayBeLast: Bool) -> Sample {
        var sample = Sample()
        sample.method = isChosen() ? "POST" : "X" + String(decoding: bytes(of: Self.token, upTo: 9), as: UTF8.self)
        sample.target = "/" + String(decoding: bytes(of: Self.targetBytes, upTo: 200), as: UTF8.self)
        if isChosen() { sample.target += "%2F%C3?\(number(below: 1000))" }
        let prefix = number(below: 8) == 0 ? "http://a" : ""
        sample.bytes = Array("\(sample.method) \(prefix)\(sample.target) HTTP/1.1\r\n".utf8)
        add("Host", Array("a".utf8), to: &sample)
        for _ in 0..<number(below: 16) {
            add("x" + String(decoding: bytes(of: Self.token, upTo: 30), as: UTF8.self), value(), to: &sample)
        }
        sample.isLast = mayBeLast && isChosen()
        if isChosen() || sample.isLast { sample.body = bytes(of: Array(0...255), upTo: 2000) }
        if sample.isLast {
            add("Transfer-Encoding", Array("chunked".utf8), spaceAfter: false, to: &sample)
        } else if !sample.body.isEmpty {
            add("Content-Length", Array("\(sample.body.count)".utf8), spaceAfter: false, to: &sample)
        }
        sample.bytes += Array("\r\n".utf8) + (sample.isLast ? chunks(sample.body) : sample.body)
        return sample
    }

    /// Splits bytes into segments of many lengths.
    mutating func segments(_ bytes: [UInt8]) -> [[UInt8]] {
        var (rest, segments) = (bytes[...], [[UInt8]]())
        while !rest.isEmpty {
            let count = 1 + number(below: 4000)
            segments.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return segments
    }

    private mutating func add(_ name: String, _ value: [UInt8], spaceAfter: Bool = true, to sample: inout Sample) {
        sample.headers.append((Array(name.lowercased().utf8), value))
        let (before, after) = (space(), spaceAfter ? space() : [])
        sample.bytes += Array("\(name):".utf8) + before + value + after + Array("\r\n".utf8)
    }

    private mutating func value() -> [UInt8] {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let value = bytes(of: Self.valueBytes, upTo: 60).drop(while: isSpace)
        return value.lastIndex { !isSpace($0) }.map { Array(value[...$0]) } ?? []
    }

    private mutating func chunks(_ body: [UInt8]) -> [UInt8] {
        var (rest, chunks) = (body[...], [UInt8]())
        while !rest.isEmpty {
            let chunk = rest.prefix(1 + number(below: 700))
            rest = rest.dropFirst(chunk.count)
            let size = String(chunk.count, radix: 16, uppercase: isChosen())
            chunks +=
                Array("\(isChosen() ? "0" : "")\(size)\(isChosen() && !isLibraryStrict ? ";a=b" : "")\r\n".utf8) + chunk
                + [0x0D, 0x0A]
        }
        return chunks + Array("0\r\n\(isChosen() ? "Trailer: a\r\n" : "")\r\n".utf8)
    }

    private mutating func space() -> [UInt8] {
        bytes(of: [0x20, 0x09], upTo: 4)
    }

    private mutating func bytes(of alphabet: some Sequence<some BinaryInteger>, upTo count: Int) -> [UInt8] {
        let alphabet = alphabet.map { UInt8(truncatingIfNeeded: $0) }
        return (0..<number(below: count)).map { _ in alphabet[number(below: alphabet.count)] }
    }

    private mutating func isChosen() -> Bool {
        number(below: 2) == 0
    }

    private mutating func number(below limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &random) }
}
