import HTTPMessages

/// The languages that a request accepts (RFC 9110, section 12.5.4).
struct AcceptLanguage {
    private let list: PreferenceList

    fileprivate init(_ value: UnsafeBufferPointer<UInt8>) {
        list = PreferenceList(value)
    }

    private var ranges: some Sequence<PreferenceList.Range> { list.ranges.lazy.filter { !$0.hasOtherParameters } }

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
        for range in ranges {
            if range.quality == 0 { excludes = true }
            if range.quality > 0, range.isWildcard { acceptsAny = true }
        }
        let excluded = excludes ? languages.map(isExcluded) : []
        func isAcceptable(_ index: Int) -> Bool { !excludes || !excluded[index] }

        var found: (index: Int, quality: Int)?
        for range in ranges where range.quality > found?.quality ?? 0 {
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
        for range in ranges
        where range.name.count > longest.count && !range.isWildcard && range.contains(language) {
            longest = (range.name.count, range.quality)
        }
        return longest.quality == 0
    }
}

/// A range of languages, such as `de-AT` or `*`.
extension PreferenceList.Range {
    fileprivate var isWildcard: Bool { name.count == 1 && name.first == UInt8(ascii: "*") }

    /// Whether the language is the range, or the range without its last parts.
    fileprivate func isOrExtends(_ language: [UInt8]) -> Bool { name.begins(withParts: language[...]) }

    /// Whether the range is the language, or the language without its last parts.
    fileprivate func contains(_ language: [UInt8]) -> Bool { language.begins(withParts: name) }
}

extension Collection<UInt8> {
    /// Whether a tag is another one, or the other one and further parts.
    fileprivate func begins(withParts other: some Collection<UInt8>) -> Bool {
        guard prefix(other.count).equalsIgnoringCase(other) else { return false }
        return dropFirst(other.count).first ?? UInt8(ascii: "-") == UInt8(ascii: "-")
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
