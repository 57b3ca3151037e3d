import HTTPMessages

/// What a client accepts, with its preferences: the elements of `Accept`, `Accept-Encoding` or `Accept-Language` (RFC 9110, section 12.5).
///
/// Reads the first 32 elements in the first 1,024 bytes, so that a hostile header takes no time. Ignores malformed elements.
package struct Preferences {
    typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    /// An element, such as `text/html;level=1;q=0.5`.
    struct Element {
        /// What the client accepts: `text/html`, `*/*`, `gzip`, `de-AT`.
        let name: Text
        /// In thousandths.
        let quality: Int
        /// Whether there is a parameter other than the quality.
        let hasParameters: Bool

        /// Returns `nil` if the text is malformed.
        fileprivate init?(_ text: Text) {
            let end = text.end(before: UInt8(ascii: ";"))
            name = text[..<end].trimmed
            guard !name.isEmpty else { return nil }
            var (weight, hasParameters): (Int?, Bool) = (nil, false)
            var rest = text[end...]
            while rest.popFirst() != nil {
                let end = rest.end(before: UInt8(ascii: ";"))
                let parameter = rest[..<end].trimmed
                rest = rest[end...]
                guard parameter.isQuality else {
                    hasParameters = true
                    continue
                }
                guard weight == nil, let quality = parameter.quality else { return nil }
                weight = quality
            }
            quality = weight ?? 1000
            self.hasParameters = hasParameters
        }

        func `is`(_ name: StaticString) -> Bool {
            let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            return self.name.elementsEqual(name) { $0.lowercased == $1 }
        }
    }

    private let value: UnsafeBufferPointer<UInt8>

    private static let maximumLength = 1024
    private static let maximumCount = 32

    init(_ value: UnsafeBufferPointer<UInt8>) {
        self.value = UnsafeBufferPointer(rebasing: value.prefix(Self.maximumLength))
    }

    func forEach(_ body: (Element) -> Void) {
        var rest = value[...]
        for _ in 0..<Self.maximumCount where !rest.isEmpty {
            let end = rest.end(before: UInt8(ascii: ","))
            if let element = Element(rest[..<end]) { body(element) }
            rest = rest[end...].dropFirst()
        }
    }

    /// Whether the client gives that media type, in lower case and without parameters, a higher quality than any other one.
    func prefers(_ type: StaticString) -> Bool {
        guard contains(type) else { return false }
        var (own, others) = (0, 0)
        forEach { if $0.is(type) { own = max(own, $0.quality) } else { others = max(others, $0.quality) } }
        return own > others
    }

    /// The highest quality, in thousandths; `nil` if the client names none of the types, which are in lower case and without parameters.
    package func quality(of types: StaticString...) -> Int? {
        guard types.contains(where: contains) else { return nil }
        var highest: Int?
        forEach { if types.contains(where: $0.is) { highest = max(highest ?? 0, $0.quality) } }
        return highest
    }

    var acceptsGzip: Bool {
        let quality = self.quality(of: "gzip", "x-gzip") ?? self.quality(of: "*") ?? 0
        return quality > 0 && quality >= self.quality(of: "identity") ?? 0
    }

    /// The text is in lower case. Most requests name none of the types that matter: then the value need not be read.
    private func contains(_ text: StaticString) -> Bool {
        let (bytes, count) = (text.utf8Start, text.utf8CodeUnitCount)
        guard value.count >= count else { return false }
        let (first, last) = (bytes[0], bytes[count - 1])
        for start in 0...(value.count - count)
        where value[start] | 0x20 == first && value[start + count - 1] | 0x20 == last {
            if (0..<count).allSatisfy({ value[start + $0].lowercased == bytes[$0] }) { return true }
        }
        return false
    }
}

extension Headers {
    /// The type is in lower case, without parameters.
    package func prefersMedia(_ type: StaticString) -> Bool { acceptsMedia { $0.prefers(type) } }

    /// `false` if there is no header `Accept`.
    package func acceptsMedia(where condition: (Preferences) -> Bool) -> Bool {
        withCombined(.accept) { condition(Preferences($0)) } ?? false
    }

    /// Whether the client accepts content in the coding gzip, and does not prefer it without a coding (RFC 9110, section 12.5.3).
    ///
    /// `false` without `Accept-Encoding`: such a client may be unable to decompress.
    package var acceptsGzip: Bool { withCombined(.acceptEncoding) { Preferences($0).acceptsGzip } ?? false }
}

extension HeaderName {
    fileprivate static var accept: HeaderName { HeaderName(constant: "Accept", lowercase: "accept") }
    fileprivate static var acceptEncoding: HeaderName {
        HeaderName(constant: "Accept-Encoding", lowercase: "accept-encoding")
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The first separator that is not in a quoted string; the end without one.
    fileprivate func end(before separator: UInt8) -> Index {
        // Most elements contain no quotes.
        guard let first = firstIndex(where: { $0 == separator || $0 == UInt8(ascii: "\"") }) else { return endIndex }
        var (isQuoted, isEscaped) = (false, false)
        for index in self[first...].indices {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, self[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if self[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if !isQuoted, self[index] == separator {
                return index
            }
        }
        return endIndex
    }

    /// Whether this is a weight such as `q=0.5` (RFC 9110, section 12.4.2), which may be malformed.
    fileprivate var isQuality: Bool {
        count > 1 && self[startIndex] | 0x20 == UInt8(ascii: "q") && self[startIndex + 1] == UInt8(ascii: "=")
    }

    /// The thousandths of a weight; `nil` if it is malformed.
    fileprivate var quality: Int? {
        let bytes = dropFirst(2)
        guard (1...5).contains(bytes.count) else { return nil }
        var (quality, unit) = (0, 1000)
        for (offset, byte) in bytes.enumerated() {
            if offset == 1 {
                guard byte == UInt8(ascii: ".") else { return nil }
                continue
            }
            guard byte.isDigit else { return nil }
            quality += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return quality <= 1000 ? quality : nil
    }
}
