/// Texts in which a metacharacter of HTML forms one character with the code points around it, so that code which compares characters does not
/// see it.
package struct HostileTexts {
    static let metacharacters = ["<", ">", "&", "\"", "'", "`", "=", "/", "\r", "\n", "\u{2028}"]
    /// Nothing, and code points of the classes Prepend, Extend, SpacingMark and ZWJ.
    static let neighbours = [
        "", "\u{600}", "\u{110BD}", "\u{301}", "\u{FE0F}", "\u{20DD}", "\u{903}", "\u{200D}", "\u{200C}",
    ]
    static let (opening, closing) = ("oPeN", "cLoSe")

    /// Every metacharacter between each two neighbours, in texts of at most `length` code points, in an order that the seed decides.
    package static func all(length: Int, seed: UInt64) -> [String] {
        var random = SequenceRandom(seed: seed)
        let parts = metacharacters.flatMap { character in
            neighbours.flatMap { before in neighbours.map { after in "\(before)\(character)\(after)" } }
        }
        var texts = [""]
        for part in parts.shuffled(using: &random) {
            let count = texts[texts.count - 1].unicodeScalars.count + part.unicodeScalars.count + 1
            if count + opening.count + closing.count > length { texts.append("") }
            texts[texts.count - 1] += "\(part)b"
        }
        return texts.map { opening + $0 + closing }
    }

    /// The metacharacters of the texts in a page that are not escaped, each with what is before it; `nil` if the page contains none of the texts.
    package static func faults(in page: [UInt8]) -> [String]? {
        var (faults, isShown, isJSON) = ([String](), false, false)
        var start: Int?
        for position in page.indices {
            func begins(_ texts: String...) -> Bool { texts.contains { page[position...].starts(with: $0.utf8) } }
            switch page[position] {
            case UInt8(ascii: "o") where begins(opening): (start, isShown) = (position, true)
            case UInt8(ascii: "c") where begins(closing): start = nil
            case UInt8(ascii: "<") where start == nil && begins("<script type=\"application/json\"", "</script>"):
                isJSON = !begins("</script>")
            case UInt8(ascii: "&") where isJSON || begins("&amp;", "&lt;", "&gt;", "&quot;", "&#39;"): break
            case UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): if isJSON { break } else { fallthrough }
            case UInt8(ascii: "<"), UInt8(ascii: "&"):
                if let start { faults.append(page[start...position].suffix(40).text) }
            default: break
            }
        }
        return isShown ? faults : nil
    }
}
