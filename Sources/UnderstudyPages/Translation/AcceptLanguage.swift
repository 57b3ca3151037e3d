import HTTPMessages

/// The languages that a request accepts (RFC 9110, section 12.5.4).
///
/// Reads the first 32 ranges in the first 1,024 bytes, so that a hostile header takes no time. Ignores malformed ranges.
struct AcceptLanguage {
    /// A range, such as `de-AT` or `*`, with its quality in thousandths.
    struct Range {
        let bytes: Slice<UnsafeBufferPointer<UInt8>>
        let quality: Int

        var isWildcard: Bool { bytes.count == 1 && bytes.first == UInt8(ascii: "*") }

        /// Whether the language is the range, or the range without its last parts.
        ///
        /// - Parameter language: the language's tag in lower case.
        func isOrExtends(_ language: [UInt8]) -> Bool {
            guard bytes.count >= language.count else { return false }
            var index = bytes.startIndex
            for byte in language {
                // No other bytes of a tag differ only in this bit.
                if bytes[index] | 0x20 != byte | 0x20 { return false }
                index += 1
            }
            return index == bytes.endIndex || bytes[index] == UInt8(ascii: "-")
        }

        /// Whether the range is the language, or the language without its last parts.
        func contains(_ language: [UInt8]) -> Bool {
            guard bytes.count <= language.count else { return false }
            for (byte, other) in zip(bytes, language) where byte | 0x20 != other | 0x20 { return false }
            return bytes.count == language.count || language[bytes.count] == UInt8(ascii: "-")
        }
    }

    private let value: UnsafeBufferPointer<UInt8>

    private static let maximumLength = 1024
    private static let maximumCount = 32

    init(_ value: UnsafeBufferPointer<UInt8>) {
        self.value = UnsafeBufferPointer(rebasing: value.prefix(Self.maximumLength))
    }

    /// Calls `body` with each range.
    func forEach(_ body: (Range) -> Void) {
        var start = 0
        for _ in 0..<Self.maximumCount {
            guard start < value.count else { return }
            let end = value[start...].firstIndex(of: UInt8(ascii: ",")) ?? value.count
            if let range = Self.range(value[start..<end]) { body(range) }
            start = end + 1
        }
    }

    /// Finds the language by lookup (RFC 4647, section 3.4): the range with the highest quality, the first of several, that is one of the
    /// languages, or is one after its last parts have been removed.
    ///
    /// A language is not acceptable if the longest range that contains it has the quality 0.
    ///
    /// - Parameter languages: the languages' tags in lower case, the default language first.
    /// - Returns: the index of the language. If no range fits, that of the default language; if the default language is not
    ///   acceptable, but `*` is, that of the first acceptable language.
    func lookup(_ languages: [[UInt8]]) -> Int {
        var (excludes, acceptsAny) = (false, false)
        forEach {
            if $0.quality == 0 { excludes = true }
            if $0.quality > 0, $0.isWildcard { acceptsAny = true }
        }
        let excluded = excludes ? languages.map(isExcluded) : []
        func isAcceptable(_ index: Int) -> Bool { !excludes || !excluded[index] }

        var found: (index: Int, quality: Int)?
        forEach { range in
            guard range.quality > found?.quality ?? 0 else { return }
            var match: Int?
            for index in languages.indices where isAcceptable(index) && range.isOrExtends(languages[index]) {
                if languages[index].count > match.map({ languages[$0].count }) ?? 0 { match = index }
            }
            if let match { found = (match, range.quality) }
        }
        if let found { return found.index }
        if isAcceptable(0) || !acceptsAny { return 0 }
        return languages.indices.first(where: isAcceptable) ?? 0
    }

    private func isExcluded(_ language: [UInt8]) -> Bool {
        var longest: (count: Int, quality: Int) = (0, 1)
        forEach { range in
            if range.bytes.count > longest.count, !range.isWildcard, range.contains(language) {
                longest = (range.bytes.count, range.quality)
            }
        }
        return longest.quality == 0
    }

    /// Reads `de-AT;q=0.5`. Returns `nil` if it is malformed.
    private static func range(_ element: Slice<UnsafeBufferPointer<UInt8>>) -> Range? {
        let semicolon = element.firstIndex(of: UInt8(ascii: ";")) ?? element.endIndex
        let tag = element[..<semicolon].trimmed
        guard !tag.isEmpty else { return nil }
        guard semicolon < element.endIndex else { return Range(bytes: tag, quality: 1000) }
        return element[(semicolon + 1)...].trimmed.quality.map { Range(bytes: tag, quality: $0) }
    }
}

extension HeaderName {
    fileprivate static var acceptLanguage: HeaderName {
        HeaderName(constant: "Accept-Language", lowercase: "accept-language")
    }
}

extension Headers {
    /// The index of the language for the request, by lookup (RFC 4647, section 3.4); `nil` if the request names no language.
    ///
    /// - Parameter tags: the languages' tags in lower case; the first is that of a request that accepts none of them.
    package func preferredLanguage(of tags: [[UInt8]]) -> Int? { withAcceptLanguage { $0.lookup(tags) } }

    /// Calls `body` with the languages that the request accepts; returns `nil` if it does not name any.
    func withAcceptLanguage<Result>(_ body: (AcceptLanguage) -> Result) -> Result? {
        withCombined(.acceptLanguage) { body(AcceptLanguage($0)) }
    }
}
