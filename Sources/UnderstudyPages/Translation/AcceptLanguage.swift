import HTTPMessages

/// The languages that a request accepts (RFC 9110, section 12.5.4). A range with a parameter other than the quality is malformed.
extension Preferences {
    /// Finds the language by lookup (RFC 4647, section 3.4): the range with the highest quality above 0, the first of several, that is one of the
    /// languages, or is one after its last parts have been removed. The tags are in lower case, the default language first. If no range fits, returns
    /// the index of the default language.
    func lookup(_ languages: [[UInt8]]) -> Int {
        var found: (index: Int, quality: Int)?
        forEach { range in
            guard !range.hasParameters, range.quality > found?.quality ?? 0 else { return }
            var match: Int?
            for index in languages.indices where range.isOrExtends(languages[index]) {
                if languages[index].count > match.map({ languages[$0].count }) ?? 0 { match = index }
            }
            if let match { found = (match, range.quality) }
        }
        return found?.index ?? 0
    }
}

extension Preferences.Element {
    /// The language, in lower case, is the range, or the range without its last parts.
    fileprivate func isOrExtends(_ language: [UInt8]) -> Bool {
        // No other bytes of a tag differ only in this bit.
        guard name.count >= language.count, zip(name, language).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else {
            return false
        }
        return name.count == language.count || name.dropFirst(language.count).first == UInt8(ascii: "-")
    }
}

extension HeaderName {
    fileprivate static var acceptLanguage: HeaderName {
        HeaderName(constant: "Accept-Language", lowercase: "accept-language")
    }
}

extension Headers {
    /// See ``Preferences/lookup(_:)``; `nil` if the request names no language.
    package func preferredLanguage(of tags: [[UInt8]]) -> Int? {
        withCombined(.acceptLanguage) { Preferences($0).lookup(tags) }
    }
}
