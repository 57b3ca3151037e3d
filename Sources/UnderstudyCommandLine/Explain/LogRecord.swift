import BusinessLogic
import Foundation

/// A line of a log, in either format, or a record of the audit log. Other programs may have added a prefix, as journals do.
struct LogRecord {
    /// The time as it is in the log.
    let time: String
    /// The level in lower case; empty for a record of the audit log.
    let level: String
    /// What has happened.
    let message: String
    /// The details, in order.
    let fields: [(name: String, value: String)]
    /// Whether it is a record of the audit log.
    let isAudit: Bool

    /// Returns `nil` if the line has another form.
    init?(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line, as: UTF8.self)
        if let record = Self.json(text) ?? Self.text(text) { self = record } else { return nil }
    }

    private init(time: String, level: String, message: String, fields: [(String, String)], isAudit: Bool) {
        (self.time, self.level, self.message, self.fields, self.isAudit) = (time, level, message, fields, isAudit)
    }

    /// The value of a detail; `nil` if the line has no such detail.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    private static func json(_ text: String) -> LogRecord? {
        guard let start = text.range(of: "{\"time\":\"")?.lowerBound,
            let object = try? JSONReader.read(Array(text[start...].utf8)).object
        else { return nil }
        func string(_ name: String) -> String? { object[name]?.string }
        guard let time = string("time"), let message = string("message") ?? string("event") else { return nil }
        let isAudit = string("message") == nil
        let known = isAudit ? ["time", "event"] : ["time", "level", "logger", "message"]
        let fields = object.filter { !known.contains($0.name) }.map { name, value in
            (name, value.string ?? String(decoding: value.json, as: UTF8.self).trimmingCharacters(in: .newlines))
        }
        return LogRecord(time: time, level: string("level") ?? "", message: message, fields: fields, isAudit: isAudit)
    }

    private static func text(_ text: String) -> LogRecord? {
        // 09:32:12.896Z INFO     Request duration=0.04 method=GET
        guard let match = text.firstMatch(of: /(\d\d:\d\d:\d\d\.\d{3}Z) (?:\x1b\[[\d;]*m)?([A-Z]+) *(?:\x1b\[0m)? (.*)/)
        else { return nil }
        var (words, fields): ([String], [(String, String)]) = ([], [])
        for part in match.3.matches(of: /(?:([a-zA-Z-]+)=)?('.*?'(?= [a-zA-Z-]+=|$)|\S+)/) {
            if let name = part.1 {
                // A value can contain the quotes that enclose it.
                let isQuoted = part.2.count > 1 && part.2.hasPrefix("'") && part.2.hasSuffix("'")
                fields.append((String(name), String(isQuoted ? part.2.dropFirst().dropLast() : part.2)))
            } else if fields.isEmpty {
                words.append(String(part.2))
            }
        }
        return LogRecord(
            time: String(match.1),
            level: match.2.lowercased(),
            message: words.joined(separator: " "),
            fields: fields,
            isAudit: false
        )
    }
}
