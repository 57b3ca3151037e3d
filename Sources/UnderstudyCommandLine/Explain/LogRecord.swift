import BusinessLogic
import FoundationEssentials
import Logging
import UnderstudyPages

/// A line of a log, in either format. Other programs may have added a prefix, as journals do.
struct LogRecord {
    /// The time as it is in the log.
    let time: String
    /// The level in lower case.
    let level: String
    /// What has happened.
    let message: String
    /// The details, in order.
    private(set) var fields: [(name: String, value: String)] = []

    /// The value of a detail; `nil` if the line has no such detail.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension LogRecord {
    /// Returns `nil` if the line has another form.
    init?(_ line: ArraySlice<UInt8>) {
        // Text that a client has sent can look like a line of either format, but not before the beginning of its own line.
        let text = Self.text(in: line)
        let json = line.firstRange(of: Self.jsonStart).map { line[$0.lowerBound...] }
        if let json, json.startIndex < text?.start ?? line.endIndex {
            self.init(json: json)
        } else if let text {
            self.init(time: line[text.start...], level: text.level, rest: text.rest)
        } else {
            return nil
        }
    }

    private static let jsonStart = Array(#"{"time":""#.utf8)

    private init?(json: ArraySlice<UInt8>) {
        guard let object = try? JSONReader.read(Array(json)).object else { return nil }
        func string(_ name: String) -> String? { object[name]?.string }
        guard let time = string("time"), let message = string("message") else { return nil }
        let fields = object.filter { !["time", "level", "logger", "message"].contains($0.name) }.map { name, value in
            (name, value.string ?? value.line)
        }
        self.init(time: time, level: string("level") ?? "", message: message, fields: fields)
    }
}

/// The format for people: `09:32:12.896Z INFO     Request duration=0.04 method=GET`.
extension LogRecord {
    /// Where a line in this format begins, after what another program has added before it, with its level in lower case and what follows.
    private static func text(
        in line: ArraySlice<UInt8>
    ) -> (start: Int, level: String, rest: ArraySlice<UInt8>)? {
        // Another program can have added a time as well: a level follows the one of the line.
        for start in line.indices where isTime(line[start...]) {
            if let (level, rest) = level(after: line[start...]) { return (start, level, rest) }
        }
        return nil
    }

    /// - Parameters:
    ///   - line: the line, which begins with its time.
    ///   - rest: what follows the level.
    private init(time line: ArraySlice<UInt8>, level: String, rest: ArraySlice<UInt8>) {
        var rest = rest
        var fields: [(name: String, value: String)] = []
        var words: [String] = []
        _ = Self.take(from: &rest) { $0 == Self.space }
        Self.takeColour(from: &rest)
        while true {
            _ = Self.take(from: &rest) { $0 == Self.space }
            if rest.isEmpty { break }
            if let name = Self.takeName(from: &rest) {
                fields.append((name, Self.takeValue(from: &rest)))
            } else {
                let word = Self.take(from: &rest) { $0 != Self.space }
                if fields.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            }
        }
        let time = String(decoding: line.prefix { $0 != Self.space }, as: UTF8.self)
        self.init(time: time, level: level, message: words.joined(separator: " "), fields: fields)
    }

    private static let space = UInt8(ascii: " ")

    /// Whether the text begins with a time such as `09:32:12.896Z` and a space.
    private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        let pattern = "00:00:00.000Z ".utf8
        return text.count >= pattern.count
            && zip(pattern, text).allSatisfy { $0 == UInt8(ascii: "0") ? (0x30...0x39).contains($1) : $0 == $1 }
    }

    /// The level after a time, in lower case, and what follows it; `nil` if no level follows the time.
    private static func level(after time: ArraySlice<UInt8>) -> (name: String, rest: ArraySlice<UInt8>)? {
        var rest = time.drop { $0 != space }.dropFirst()
        takeColour(from: &rest)
        let word = String(decoding: take(from: &rest) { $0.isASCIIAlphanumeric }, as: UTF8.self)
        let level = Logger.Level.allCases.first { $0.rawValue.uppercased() == word }
        return level.map { ($0.rawValue, rest) }
    }

    private static func take(from text: inout ArraySlice<UInt8>, while condition: (UInt8) -> Bool) -> ArraySlice<UInt8>
    {
        let taken = text.prefix(while: condition)
        text = text[taken.endIndex...]
        return taken
    }

    /// Removes what changes the colour of a terminal.
    private static func takeColour(from text: inout ArraySlice<UInt8>) {
        guard text.starts(with: "\u{1B}[".utf8), let end = text.firstIndex(of: UInt8(ascii: "m")) else { return }
        text = text[(end + 1)...]
    }

    /// Removes a name and the `=` after it, and returns the name; `nil` if the text begins with another word.
    private static func takeName(from text: inout ArraySlice<UInt8>) -> String? {
        let name = text.prefix { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
        guard !name.isEmpty, text.dropFirst(name.count).first == UInt8(ascii: "=") else { return nil }
        text = text[name.endIndex...].dropFirst()
        return String(decoding: name, as: UTF8.self)
    }

    /// Removes a value, which is a word, or a text in single quotes as `String.logWord` writes it.
    private static func takeValue(from text: inout ArraySlice<UInt8>) -> String {
        guard text.first == UInt8(ascii: "'") else {
            return String(decoding: take(from: &text) { $0 != space }, as: UTF8.self)
        }
        text = text.dropFirst()
        var value: [UInt8] = []
        while let byte = text.popFirst(), byte != UInt8(ascii: "'") {
            guard byte == UInt8(ascii: "\\"), let next = text.first, next == byte || next == UInt8(ascii: "'") else {
                value.append(byte)
                continue
            }
            value.append(next)
            text = text.dropFirst()
        }
        return String(decoding: value, as: UTF8.self)
    }
}
