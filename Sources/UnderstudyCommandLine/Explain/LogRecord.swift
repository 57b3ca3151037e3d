import BusinessLogic
import FoundationEssentials

/// A line of a log, in either format. Other programs may have added a prefix, as journals do.
struct LogRecord {
    /// The time as it is in the log.
    let time: String
    /// The level in lower case.
    let level: String
    /// What has happened.
    let message: String
    /// The details, in order.
    let fields: [(name: String, value: String)]

    /// Returns `nil` if the line has another form.
    init?(_ line: ArraySlice<UInt8>) {
        // Text that a client has sent can look like a line of either format, but not before the beginning of its own line.
        let text = TextLine(line)
        let json = line.firstRange(of: Self.jsonStart).map { line[$0.lowerBound...] }
        if let json, json.startIndex < text?.start ?? line.endIndex {
            self.init(json: json)
        } else if let text {
            self.init(text)
        } else {
            return nil
        }
    }

    private init(time: String, level: String, message: String, fields: [(String, String)]) {
        (self.time, self.level, self.message, self.fields) = (time, level, message, fields)
    }

    /// The value of a detail; `nil` if the line has no such detail.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

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

    private init(_ line: TextLine) {
        self.init(time: line.time, level: line.level, message: line.message, fields: line.fields)
    }
}
