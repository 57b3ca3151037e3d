import BusinessLogic

enum LanguageTag {
    /// The language of the messages' own texts.
    static let english = "en"

    /// The tag in its usual case: `de-AT`, `zh-Hans`. Returns `nil` if it is not well-formed: letters, then letters and digits, in parts
    /// of at most eight.
    static func canonical(_ text: String) -> String? {
        guard text.utf8.count <= 35 else { return nil }
        var parts: [String] = []
        for part in text.split(separator: "-", omittingEmptySubsequences: false) {
            guard (1...8).contains(part.utf8.count), part.utf8.allSatisfy(\.isASCIIAlphanumeric),
                !parts.isEmpty || part.utf8.allSatisfy({ $0 | 0x20 >= UInt8(ascii: "a") })
            else { return nil }
            parts.append(usualCase(part.lowercased(), isFirst: parts.isEmpty))
        }
        return parts.joined(separator: "-")
    }

    private static func usualCase(_ part: String, isFirst: Bool) -> String {
        switch part.utf8.count {
        case 2 where !isFirst: part.uppercased()
        case 4 where !isFirst: part.prefix(1).uppercased() + part.dropFirst()
        default: part
        }
    }

    /// The tag, and the tag without its last parts, longest first: `zh-Hant-HK`, `zh-Hant`, `zh`.
    static func truncations(of tag: String) -> [String] {
        let parts = tag.split(separator: "-")
        return (0..<parts.count).map { parts.dropLast($0).joined(separator: "-") }
    }
}
