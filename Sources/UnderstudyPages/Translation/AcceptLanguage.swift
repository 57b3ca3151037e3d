import HTTPMessages

/// The languages that a request accepts (RFC 9110, section 12.5.4). A range with a parameter other than the quality is malformed.
extension Preferences {
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
        forEachRange {
            if $0.quality == 0 { excludes = true }
            if $0.quality > 0, $0.isWildcard { acceptsAny = true }
        }
        let excluded = excludes ? languages.map(isExcluded) : []
        func isAcceptable(_ index: Int) -> Bool { !excludes || !excluded[index] }

        var found: (index: Int, quality: Int)?
        forEachRange { range in
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
        forEachRange { range in
            if range.name.count > longest.count, !range.isWildcard, range.contains(language) {
                longest = (range.name.count, range.quality)
            }
        }
        return longest.quality == 0
    }

    private func forEachRange(_ body: (Element) -> Void) {
        forEach { if !$0.hasParameters { body($0) } }
    }
}

extension Preferences.Element {
    fileprivate var isWildcard: Bool { name.count == 1 && name.first == UInt8(ascii: "*") }

    /// Whether the language is the range, or the range without its last parts.
    ///
    /// - Parameter language: the language's tag in lower case.
    fileprivate func isOrExtends(_ language: [UInt8]) -> Bool { Self.tag(name, isOrExtends: language) }

    /// Whether the range is the language, or the language without its last parts.
    fileprivate func contains(_ language: [UInt8]) -> Bool { Self.tag(language, isOrExtends: name) }

    private static func tag(_ tag: some Collection<UInt8>, isOrExtends other: some Collection<UInt8>) -> Bool {
        // No other bytes of a tag differ only in this bit.
        guard tag.count >= other.count, zip(tag, other).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { return false }
        return tag.count == other.count || tag.dropFirst(other.count).first == UInt8(ascii: "-")
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
    package func preferredLanguage(of tags: [[UInt8]]) -> Int? {
        withCombined(.acceptLanguage) { Preferences($0).lookup(tags) }
    }
}
