import BusinessLogic
import FoundationEssentials
import Glibc
import Understudy

/// What logs say about a request, for a person.
struct RequestExplanation {
    private let id: String
    private var records: [LogRecord] = []

    init(_ id: String) {
        self.id = id
    }

    /// Whether no line was about the request.
    var isEmpty: Bool { records.isEmpty }

    /// Reads the lines of a log that are about the request: of a file, or of standard input for `-`.
    mutating func read(_ path: String) throws(CommandError) {
        var lines = try LineReader(path: path, status: 66)
        // The first byte of each file of gzip.
        guard lines.first != 0x1F else {
            throw CommandError("The log '\(path)' is compressed: decompress it first, such as with 'zcat'.", status: 66)
        }
        while let line = lines.next() {
            guard line.contains(id), let record = LogRecord(line), record["request"] == id else { continue }
            records.append(record)
        }
        if let error = lines.error { throw CommandError("The log cannot be read: \(error).", status: 74) }
    }

    var lines: [String] {
        let response = records.last { ["Request", "Rejected"].contains($0.message) }
        var lines = [Terminal.strong("Request \(id.printable)")]
        if let response { lines += summary(response) } else { lines.append("  There is no line of the access log.") }
        let others = records.filter { !["Request", "Rejected"].contains($0.message) }
        for record in others.sorted(by: { $0.time < $1.time }) {
            let details = record.fields.filter { $0.name != "request" }
            let text = ([record.message] + details.map { "\($0.name)=\($0.value)" }).joined(separator: " ").printable
            lines.append(Self.row(record.level, "\(record.time)  \(text)"))
        }
        return lines
    }

    private func summary(_ record: LogRecord) -> [String] {
        var lines: [String] = []
        func add(_ title: String, _ text: String?) {
            if let text, !text.isEmpty { lines.append(Self.row(title, text.printable)) }
        }
        let place = record["page"].map { "page '\($0)'" } ?? record["path"].map { "path '\($0)'" }
        add("time", record.time)
        let event = record["event"].map { "event '\($0)'" }
        add("request", [record["method"], place, event].compactMap(\.self).joined(separator: ", "))
        add("port", record["port"])
        add("response", "status \(record["status"] ?? "unknown")")
        let code = record["code"].flatMap { name in Problem.Code.allCases.first { $0.rawValue == name } }
        add("problem", record["code"].map { $0 + (record["field"].map { " in the field '\($0)'" } ?? "") })
        add("", code?.title)
        add("", code?.explanation)
        for message in record["codes"]?.split(separator: ",") ?? [] { add("message", String(message)) }
        add("client", record["client"])
        add("session", record["session"])
        add("account", record["account"])
        add("duration", Self.durations(record))
        let caller = record["span"].map { ", called by the span \($0)" } ?? ""
        add("trace", record["trace"].map { $0 + caller })
        return lines
    }

    private static func durations(_ record: LogRecord) -> String? {
        guard let total = record["duration"].flatMap(Double.init) else { return nil }
        let parts = [("wait", "waiting for the session"), ("hash", "hashing"), ("database", "the database")].compactMap
        { name, title in
            record[name].flatMap(Double.init).map { (title: title, time: $0) }
        }
        let text = "\(total) ms"
        guard !parts.isEmpty else { return text }
        let rest = total - parts.map(\.time).reduce(0, +)
        return text + ": " + parts.map { "\($0.title) \($0.time) ms, " }.joined()
            + "the rest \((max(0, rest) * 1000).rounded() / 1000) ms"
    }

    private static func row(_ title: String, _ text: String) -> String { "  " + title.padded(to: 10) + text }
}

extension [UInt8] {
    /// Whether the bytes before the first NUL contain a text. A log can be large, and the functions of collections are slow.
    fileprivate func contains(_ text: String) -> Bool {
        (self + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { strstr($0, text) != nil } ?? false }
        }
    }
}

/// A line of a log in JSON. Other programs may have added a prefix and a space, as journals do.
struct LogRecord {
    /// The time as it is in the log.
    let time: String
    /// The level in lower case.
    let level: String
    let message: String
    /// The details, in order.
    let fields: [(name: String, value: String)]

    /// The value of a detail; `nil` if the line has no such detail.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    private static let start = Array(#"{"time":""#.utf8)

    /// Returns `nil` if the line has another form.
    init?(_ line: [UInt8]) {
        // Text that a client has sent can look like a line, but not before the beginning of its own line, nor as a word of a line of text.
        guard let start = line.firstRange(of: Self.start)?.lowerBound,
            start == 0 || line[start - 1] == UInt8(ascii: " "),
            let object = try? JSONReader.read(Array(line[start...])).object,
            let time = object["time"]?.string, let message = object["message"]?.string
        else { return nil }
        self.time = time
        self.message = message
        level = object["level"]?.string ?? ""
        fields = object.filter { !["time", "level", "logger", "message"].contains($0.name) }.map { name, value in
            (name, value.string ?? value.line)
        }
    }
}
