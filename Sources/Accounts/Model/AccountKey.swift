/// The form in which two email addresses or usernames are compared: NFKC (Unicode Standard Annex 15) in lower case. Names that differ only in
/// case, in how their characters are composed, or by compatibility characters (`µ` and `μ`, `ſ` and `s`, `ﬁ` and `fi`) have the same key, as have
/// two small forms of one capital letter (`ς` and `σ`).
///
/// Computing a key takes time in proportion to the length of the text, whatever a client sends.
public struct AccountKey: Hashable, Comparable, Sendable {
    /// The text that is compared, byte by byte, in UTF-8.
    public let bytes: [UInt8]

    /// More code points than the name of any account can have, however it is composed.
    private static let maximumCompared = 1024

    /// The key of an email address or a username. No account has a name of more than 1,024 code points; such a name is its
    /// own key, unchanged.
    public init(_ name: String) {
        guard name.hasAtMost(codePoints: Self.maximumCompared) else {
            bytes = Array(name.utf8)
            return
        }
        // Lower case may decompose, so that the order matters. Letters are scalars here: one with a combining mark is another `Character`.
        let lowercased = name.compatible.lowercased().unicodeScalars.map(\.usualSmallForm)
        bytes = Array(String(String.UnicodeScalarView(lowercased)).compatible.utf8)
    }

    /// The text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public static func < (left: AccountKey, right: AccountKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension Unicode.Scalar {
    /// The small form of the letter's capital, as simple case folding (the file CaseFolding.txt of Unicode) has it: some letters of Greek and
    /// Cyrillic have several small forms.
    fileprivate var usualSmallForm: Unicode.Scalar {
        // The Turkish ı is another letter than i.
        if isASCII || value == 0x131 { return self }
        let capital = properties.uppercaseMapping.unicodeScalars
        guard capital.count == 1, let small = capital.first?.properties.lowercaseMapping.unicodeScalars,
            small.count == 1
        else {
            return self
        }
        return small.first ?? self
    }
}
