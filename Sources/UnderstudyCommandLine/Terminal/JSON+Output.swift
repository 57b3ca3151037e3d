import BusinessLogic
import FoundationEssentials

extension Value {
    /// The value as JSON in one line.
    var line: String { String(decoding: json.dropLast(), as: UTF8.self) }
}

extension Terminal {
    /// Writes JSON for a program to standard output, in one line with escapes in place of unprintable characters.
    static func print(json value: Value) { print(value.line.escaped) }
}

extension JSONEncoder {
    /// Writes JSON in several lines, with sorted members.
    static var indented: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
