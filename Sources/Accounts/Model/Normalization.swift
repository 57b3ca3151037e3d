import Foundation

extension String {
    /// The text in NFC (Unicode Standard Annex 15), computed in time proportional to its length.
    ///
    /// Foundation takes time proportional to the square of the number of combining marks that follow one character.
    /// Therefore this function first converts a text with more than 30 of them in a row to the Stream-Safe Text Format (the
    /// same annex, section 13): it inserts U+034F after each 30. No language writes so many. Texts with fewer marks stay
    /// equal if they differ only in how their characters are composed.
    package var normalized: String {
        isASCII ? self : streamSafe.precomposedStringWithCanonicalMapping
    }

    /// The text in NFKC (the same annex), otherwise as ``normalized``.
    var compatible: String {
        isASCII ? self : streamSafe.precomposedStringWithCompatibilityMapping
    }

    private var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    private var streamSafe: String {
        // Nearly all texts are stream-safe already. They are read once and not copied.
        var safe: String.UnicodeScalarView?
        var run = 0
        for index in unicodeScalars.indices {
            let scalar = unicodeScalars[index]
            run = scalar.isMark ? run + 1 : 0
            if run > Self.maximumRun {
                if safe == nil { safe = String.UnicodeScalarView(unicodeScalars[..<index]) }
                safe?.append("\u{34F}")
                run = 1
            }
            safe?.append(scalar)
        }
        return safe.map { String($0) } ?? self
    }

    private static let maximumRun = 30

    /// Whether the text has at most `limit` code points. Stops counting at the limit.
    func hasAtMost(codePoints limit: Int) -> Bool {
        unicodeScalars.index(unicodeScalars.startIndex, offsetBy: limit + 1, limitedBy: unicodeScalars.endIndex) == nil
    }
}

extension Unicode.Scalar {
    /// Whether NFC may have to sort it, because it is a combining mark or decomposes into several.
    fileprivate var isMark: Bool {
        guard value >= 0x300 else { return false }
        // These three are not marks themselves, but decompose into two marks each.
        if value == 0xF73 || value == 0xF75 || value == 0xF81 { return true }
        return properties.canonicalCombiningClass != .notReordered
    }
}
