import Foundation

extension String {
    /// The text in NFC (Unicode Standard Annex 15), computed in time that grows in proportion to its length.
    ///
    /// Foundation sorts the combining marks that follow one character in time that grows with the square of their number.
    /// Therefore a text with more than 30 of them in a row is made Stream-Safe first (the same annex, section 13): U+034F
    /// is inserted after each 30. No language writes so many, and texts that differ only in how their characters are
    /// composed stay equal as long as they have no more.
    package var normalized: String {
        isASCII ? self : streamSafe.precomposedStringWithCanonicalMapping
    }

    private var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    private var streamSafe: String {
        // Nearly all texts are it already, and are looked at once and not copied.
        var safe: String.UnicodeScalarView?
        var run = 0
        for index in unicodeScalars.indices {
            let scalar = unicodeScalars[index]
            run = scalar.isMark ? run + 1 : 0
            if run > Self.longestRun {
                if safe == nil { safe = String.UnicodeScalarView(unicodeScalars[..<index]) }
                safe?.append("\u{34F}")
                run = 1
            }
            safe?.append(scalar)
        }
        return safe.map { String($0) } ?? self
    }

    private static let longestRun = 30

    /// Whether the text has at most so many code points. It stops counting at the limit.
    func hasAtMost(codePoints limit: Int) -> Bool {
        unicodeScalars.index(unicodeScalars.startIndex, offsetBy: limit + 1, limitedBy: unicodeScalars.endIndex) == nil
    }
}

extension Unicode.Scalar {
    /// Whether it decomposes into combining marks that may have to be sorted.
    fileprivate var isMark: Bool {
        guard value >= 0x300 else { return false }
        // The three that are no marks themselves, and consist of two each.
        if value == 0xF73 || value == 0xF75 || value == 0xF81 { return true }
        return properties.canonicalCombiningClass != .notReordered
    }
}
