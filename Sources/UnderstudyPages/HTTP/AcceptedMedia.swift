import HTTPMessages

/// The media types (RFC 9110, section 12.5.1) or content codings (section 12.5.3) that a request accepts.
package struct AcceptedMedia {
    private let list: PreferenceList

    fileprivate init(_ value: UnsafeBufferPointer<UInt8>) {
        list = PreferenceList(value)
    }

    /// Whether the client names that type, and gives it a higher quality than any other range.
    fileprivate func prefers(_ type: StaticString) -> Bool {
        var (own, others) = (0, 0)
        for range in list.ranges {
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
    /// - Parameter types: the types without parameters.
    package func quality(of types: StaticString...) -> Int { highestQuality(of: types) ?? 0 }

    /// Whether the client accepts the coding gzip, and does not prefer content without a coding.
    fileprivate var acceptsGzip: Bool {
        let quality = highestQuality(of: ["gzip", "x-gzip"]) ?? highestQuality(of: ["*"]) ?? 0
        return quality > 0 && quality >= highestQuality(of: ["identity"]) ?? 0
    }

    /// `nil` if the client names none of them.
    private func highestQuality(of names: [StaticString]) -> Int? {
        list.ranges.filter { range in names.contains { range.is($0) } }.map(\.quality).max()
    }
}

extension PreferenceList.Range {
    fileprivate func `is`(_ name: StaticString) -> Bool {
        self.name.equalsIgnoringCase(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}

extension Headers {
    /// Whether the client names that media type in `Accept`, and prefers it to all others.
    ///
    /// - Parameter type: the type without parameters.
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
