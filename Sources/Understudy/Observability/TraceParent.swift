import HTTPMessages

/// The trace of a request (W3C Trace Context, header `traceparent`).
struct TraceParent {
    /// The trace ID: 32 hexadecimal digits.
    let trace: String
    /// The sender's span ID: 16 hexadecimal digits.
    let parent: String

    /// Returns `nil` if the header is missing or invalid.
    init?(_ headers: Headers) {
        // Version, trace ID, span ID and flags: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
        guard let header = headers.first(.traceParent), headers.count(of: .traceParent) == 1, header.count >= 55
        else { return nil }
        func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> { header.dropFirst(offset).prefix(count) }
        let version = part(0, 2)
        let (trace, parent) = (part(3, 32), part(36, 16))
        guard Self.isHyphen(part(2, 1)), Self.isHyphen(part(35, 1)), Self.isHyphen(part(52, 1)),
            version.allSatisfy(Self.isDigit), trace.allSatisfy(Self.isDigit), parent.allSatisfy(Self.isDigit),
            part(53, 2).allSatisfy(Self.isDigit), !version.elementsEqual("ff".utf8),
            trace.contains(where: { $0 != UInt8(ascii: "0") }), parent.contains(where: { $0 != UInt8(ascii: "0") }),
            // Later versions of the format may have more parts.
            header.count == 55 || !version.elementsEqual("00".utf8) && Self.isHyphen(part(55, 1))
        else { return nil }
        self.trace = String(decoding: trace, as: UTF8.self)
        self.parent = String(decoding: parent, as: UTF8.self)
    }

    private static func isHyphen(_ byte: ArraySlice<UInt8>) -> Bool { byte.first == UInt8(ascii: "-") }

    /// Whether the byte is a digit in lower case.
    private static func isDigit(_ byte: UInt8) -> Bool { byte.isHexadecimalDigit && byte == byte.lowercased }
}

extension HeaderName {
    fileprivate static var traceParent: HeaderName { HeaderName(constant: "traceparent", lowercase: "traceparent") }
}
