import BusinessLogic
import FoundationEssentials

extension Value {
    /// The value as JSON in one line.
    var line: String { String(decoding: json.dropLast(), as: UTF8.self) }
}

extension ObjectValue {
    /// The members that are neither null nor an empty text.
    var known: Value.Object {
        var known: Value.Object = [:]
        for (name, value) in screenValue.object ?? [:] where value != .null && value != .string("") {
            known[name] = value
        }
        return known
    }
}

extension Terminal {
    /// Writes JSON for a program to standard output, in one line with escapes in place of unprintable characters.
    static func print(json value: Value) { print(value.line.escaped) }

    /// Writes an object as JSON to standard output, without the members that are null or empty.
    static func print(json object: some ObjectValue) {
        print(json: .object(object.known))
    }
}

extension JSONEncoder {
    /// Writes JSON in several lines, with sorted members.
    static var indented: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
