import BusinessLogic
import FoundationEssentials

// Makes text from clients, accounts and recordings safe for a terminal, a log line or a file. By scalar, because a
// `Character` can contain more than the metacharacter with which it begins.

extension Unicode.Scalar {
    /// Whether the character can control a terminal, begin another line, or change the order of the text around it: a
    /// control character (C1 included), a line or paragraph separator, or a bidirectional control.
    var isUnprintable: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: properties.isBidiControl
        default: false
        }
    }

    /// The character's number as JSON escapes it, such as `\u009b`. Every unprintable character has four digits.
    fileprivate var jsonEscape: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension String {
    /// The text with U+FFFD instead of each unprintable character, so that columns stay aligned.
    var printable: String { replacingUnprintable { _ in "\u{FFFD}" } }

    /// The text with an escape such as `\u009b` instead of each unprintable character. JSON keeps its meaning.
    var escaped: String { replacingUnprintable(with: \.jsonEscape) }

    /// The text with an escape such as `\u009b` instead of each unprintable character except line feeds, tabs and what makes
    /// text bold.
    var escapedForTerminal: String {
        guard unicodeScalars.contains(where: { $0.isUnprintable && $0 != "\n" }) else { return self }
        var (text, rest) = ("", Substring(self).unicodeScalars)
        while let scalar = rest.first {
            let kept = ["\n", "\t", Terminal.bold, Terminal.plain].first { rest.starts(with: $0.unicodeScalars) }
            text += kept ?? String(scalar).escaped
            rest = rest.dropFirst(kept?.unicodeScalars.count ?? 1)
        }
        return text
    }

    /// The text, with an ellipsis in place of what follows its first 1000 code points.
    var shortened: String {
        let end = unicodeScalars.index(startIndex, offsetBy: 1000, limitedBy: endIndex) ?? endIndex
        return end == endIndex ? self : self[..<end] + "…"
    }

    /// The text as one word of a log line: in single quotes unless it is plain, with a backslash before quotation marks and backslashes
    /// in it, so that no text ends its word and begins another member.
    var logWord: String {
        let isPlain = unicodeScalars.allSatisfy {
            $0 != "'" && $0 != "\\" && !$0.properties.isWhitespace && !$0.isUnprintable
        }
        if isPlain, !isEmpty { return self }
        let quoted = unicodeScalars.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "'\(quoted.escaped)'"
    }

    var json: String { Value.string(self).line.escaped }

    private func replacingUnprintable(with replacement: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return unicodeScalars.map { $0.isUnprintable ? replacement($0) : String($0) }.joined()
    }

    /// A number of things: `1 event`, `2 events`.
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// The text with spaces after it, so that it has at least `width` code points.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - unicodeScalars.count)) }

    /// A row of a table, without spaces at its end. The widths are those of the first columns, in code points. A longer text moves those after it.
    static func row(_ texts: [String], widths: [Int], separator: String = "  ") -> String {
        let columns = texts.enumerated().map { index, text in
            index < widths.count ? text.padded(to: widths[index]) : text
        }
        var row = columns.joined(separator: separator).unicodeScalars
        while row.last == " " { row.removeLast() }
        return String(row)
    }
}

extension Value {
    /// The value as JSON in one line.
    var line: String { String(decoding: json.dropLast(), as: UTF8.self) }
}

extension ObjectValue {
    /// The members that are neither null nor an empty text.
    var known: Value.Object {
        var known: Value.Object = [:]
        for (name, value) in screenValue.object ?? [:] where value != .null && value != "" {
            known[name] = value
        }
        return known
    }
}

extension Terminal {
    /// Writes JSON for a program to standard output, in one line with escapes in place of unprintable characters.
    static func print(json value: Value) { print(value.line.escaped) }

    /// Writes an object as JSON to standard output, without the members that are null or empty.
    static func print(json object: some ObjectValue) { print(json: .object(object.known)) }
}

extension JSONEncoder {
    /// Writes JSON in several lines, with sorted members.
    static var indented: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
