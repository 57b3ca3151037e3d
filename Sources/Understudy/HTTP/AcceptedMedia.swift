import MicroHTTP

/// The media types that a request accepts (RFC 9110, section 12.5.1).
///
/// Reads the first 32 ranges in the first 1,024 bytes, so that a hostile header takes no time. Ignores malformed ranges.
struct AcceptedMedia {
    /// A range without its parameters, such as `text/event-stream` or `*/*`, with its quality in thousandths.
    private struct Range {
        let name: Slice<UnsafeBufferPointer<UInt8>>
        let quality: Int
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
        let type = UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount)
        var (own, others) = (0, 0)
        for range in ranges {
            if range.name.elementsEqual(type, by: { Self.lowercased($0) == $1 }) {
                own = max(own, range.quality)
            } else {
                others = max(others, range.quality)
            }
        }
        return own > others
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
    func prefersMedia(_ type: StaticString) -> Bool {
        withCombined(.accept) { AcceptedMedia($0).prefers(type) } ?? false
    }
}

extension HeaderName {
    fileprivate static var accept: HeaderName { HeaderName(constant: "Accept", lowercase: "accept") }
}
