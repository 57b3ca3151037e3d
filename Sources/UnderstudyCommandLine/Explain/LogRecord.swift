import BusinessLogic

/// A line of a log in JSON. Other programs may have added a prefix and a space, as journals do.
struct LogRecord {
    /// The time as it is in the log.
    let time: String
    /// The level in lower case.
    let level: String
    /// What has happened.
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
