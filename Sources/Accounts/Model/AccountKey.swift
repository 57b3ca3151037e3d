/// The form in which two email addresses or usernames are compared: NFKC (Unicode Standard Annex 15) in lower case. Names that differ only in
/// case, in how their characters are composed, or by compatibility characters (`µ` and `μ`, `ſ` and `s`, `ﬁ` and `fi`) have the same key.
///
/// Computing a key takes time in proportion to the length of the text, whatever a client sends.
public struct AccountKey: Hashable, Comparable, Sendable {
    /// The text that is compared, byte by byte.
    public let text: String

    /// More code points than the name of any account can have, however it is composed.
    private static let maximumCompared = 1024

    /// The key of an email address or a username. No account has a name of more than 1,024 code points; such a name is its
    /// own key, unchanged.
    public init(_ name: String) {
        guard name.hasAtMost(codePoints: Self.maximumCompared) else {
            text = name
            return
        }
        // Lower case may decompose, so that the order matters.
        let lowercased = name.compatible.lowercased().compatible
        // The Greek sigma is the one letter with two small forms, depending on its position in a word.
        text =
            lowercased.unicodeScalars.contains("\u{3C2}")
            ? lowercased.replacing("\u{3C2}", with: "\u{3C3}") : lowercased
    }

    /// The text in UTF-8.
    public var bytes: [UInt8] { Array(text.utf8) }

    public static func == (left: AccountKey, right: AccountKey) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public static func < (left: AccountKey, right: AccountKey) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
