/// What a command prints, without what differs each time.
enum TaskOutput {
    /// The IDs of accounts, sessions and requests.
    static var identifier: Regex<Substring> {
        /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{8}|[a-z2-7]{15})\b/
    }

    /// The IDs in a line.
    static func identifiers(in line: String) -> [String] {
        line.matches(of: identifier).map { String($0.0) }
    }

    /// A line in which names replace times, durations, sizes, versions, addresses, servers and IDs, with one space between words.
    static func masked(_ line: String) -> String {
        line.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/, with: "TIME")
            .replacing(identifier, with: "ID")
            .replacing(/serial=[0-9A-F]+/, with: "SERIAL")
            .replacing(/\d+\.\d+\.\d+\.\d+/, with: "ADDRESS")
            .replacing(/\d+\.\d+\.\d+(?:, commit \w+)?/, with: "VERSION")
            .replacing(/\b(?:\d+ (?:d|h|min|s)\b ?)+/, with: "DURATION ")
            .replacing(/\d+(?:\.\d+)?(?:e-\d+)?(?= (?:ms|MiB|bytes|per second|ID$))/, with: "NUMBER")
            .replacing(/\d+\.\d+(?:e-\d+)?/, with: "NUMBER")
            .replacing(/tables have version \d+/, with: "tables have version NUMBER")
            .replacing(/^server \S+ \d+:/, with: "SERVER")
            .replacing(/^Requests +\d+/, with: "Requests NUMBER")
            .split(separator: " ").joined(separator: " ")
    }

    /// Whether lines are those that a page shows, in which a line `…` means any lines.
    static func matches(_ lines: ArraySlice<String>, _ shown: ArraySlice<String>) -> Bool {
        guard let next = shown.first else { return lines.isEmpty }
        if next == "…" {
            return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], shown.dropFirst()) }
        }
        guard let line = lines.first, masked(line) == masked(next) else { return false }
        return matches(lines.dropFirst(), shown.dropFirst())
    }
}
