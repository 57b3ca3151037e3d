import HTTPMessages

/// The media types (RFC 9110, section 12.5.1) or content codings (section 12.5.3) that a request accepts.
///
/// Reads the first 32 ranges in the first 1,024 bytes, so that a hostile header takes no time. Ignores malformed ranges.
package struct AcceptedMedia {
    /// A range without its parameters, such as `text/event-stream` or `*/*`, with its quality in thousandths.
    private struct Range {
        let name: Slice<UnsafeBufferPointer<UInt8>>
        let quality: Int

        func `is`(_ type: StaticString) -> Bool {
            let type = UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount)
            return name.elementsEqual(type) { AcceptedMedia.lowercased($0) == $1 }
        }
    }

    private let value: UnsafeBufferPointer<UInt8>

    private static let maximumLength = 1024
    private static let maximumCount = 32

    init(_ value: UnsafeBufferPointer<UInt8>) {
        self.value = UnsafeBufferPointer(rebasing: value.prefix(Self.maximumLength))
    }

    /// Whether the client names that type, and gives it a higher quality than any other range.
    ///
    /// - Parameter type: the type in lower case, without parameters.
    func prefers(_ type: StaticString) -> Bool {
        guard contains(type) else { return false }
        var (own, others) = (0, 0)
        for range in ranges {
            if range.is(type) {
                own = max(own, range.quality)
            } else {
                others = max(others, range.quality)
            }
        }
        return own > others
    }

    /// The quality that the client gives to one of several types, in thousandths; 0 if it names none of them.
    ///
    /// - Parameter types: the types in lower case, without parameters.
    package func quality(of types: StaticString...) -> Int {
        guard types.contains(where: contains) else { return 0 }
        return highestQuality(of: types, in: ranges) ?? 0
    }

    /// Whether the client accepts the coding gzip, and does not prefer content without a coding.
    var acceptsGzip: Bool {
        let ranges = ranges
        let quality = highestQuality(of: ["gzip", "x-gzip"], in: ranges) ?? highestQuality(of: ["*"], in: ranges) ?? 0
        return quality > 0 && quality >= highestQuality(of: ["identity"], in: ranges) ?? 0
    }

    /// `nil` if the client names none of them.
    private func highestQuality(of names: [StaticString], in ranges: [Range]) -> Int? {
        ranges.filter { range in names.contains { range.is($0) } }.map(\.quality).max()
    }

    /// Whether the value contains a text in lower case. Most requests name none of the types that matter: then it need not be read.
    private func contains(_ text: StaticString) -> Bool {
        let (bytes, count) = (text.utf8Start, text.utf8CodeUnitCount)
        guard value.count >= count else { return false }
        for start in 0...(value.count - count) where Self.lowercased(value[start]) == bytes[0] {
            if (1..<count).allSatisfy({ Self.lowercased(value[start + $0]) == bytes[$0] }) { return true }
        }
        return false
    }

    private var ranges: [Range] {
        parts(of: value[...], between: UInt8(ascii: ",")).prefix(Self.maximumCount).compactMap { element in
            let parts = parts(of: element, between: UInt8(ascii: ";")).map(\.trimmed)
            guard let name = parts.first, !name.isEmpty else { return nil }
            let weights = parts.dropFirst().filter {
                $0.first.map(Self.lowercased) == UInt8(ascii: "q") && $0.dropFirst().first == UInt8(ascii: "=")
            }
            guard let weight = weights.first else { return Range(name: name, quality: 1000) }
            guard weights.count == 1, let quality = weight.quality else { return nil }
            return Range(name: name, quality: quality)
        }
    }

    /// The parts between separators that are not in a quoted string.
    private func parts(
        of bytes: Slice<UnsafeBufferPointer<UInt8>>,
        between separator: UInt8
    ) -> [Slice<UnsafeBufferPointer<UInt8>>] {
        var parts: [Slice<UnsafeBufferPointer<UInt8>>] = []
        var (start, isQuoted, isEscaped) = (bytes.startIndex, false, false)
        for index in bytes.indices {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, bytes[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if bytes[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if !isQuoted, bytes[index] == separator {
                parts.append(bytes[start..<index])
                start = index + 1
            }
        }
        return parts + [bytes[start...]]
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension Headers {
    /// Whether the client names that media type in `Accept`, and prefers it to all others.
    ///
    /// - Parameter type: the type in lower case, without parameters.
    package func prefersMedia(_ type: StaticString) -> Bool { withAcceptedMedia { $0.prefers(type) } ?? false }

    /// Calls a function with the media types that the request accepts.
    ///
    /// - Returns: `nil` if there is no header `Accept`.
    package func withAcceptedMedia<Result>(_ body: (AcceptedMedia) throws -> Result) rethrows -> Result? {
        try withCombined(.accept) { try body(AcceptedMedia($0)) }
    }

    /// Whether the client accepts content in the coding gzip, and does not prefer it without a coding (RFC 9110, section 12.5.3).
    ///
    /// `false` without `Accept-Encoding`: such a client may be unable to decompress.
    package var acceptsGzip: Bool { withCombined(.acceptEncoding) { AcceptedMedia($0).acceptsGzip } ?? false }
}

extension HeaderName {
    fileprivate static var accept: HeaderName { HeaderName(constant: "Accept", lowercase: "accept") }
    fileprivate static var acceptEncoding: HeaderName {
        HeaderName(constant: "Accept-Encoding", lowercase: "accept-encoding")
    }
}
