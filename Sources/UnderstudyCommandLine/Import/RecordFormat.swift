/// The format of a file.
enum RecordFormat: String, CaseIterable {
    case csv, jsonl

    /// The maximum number of bytes in a record.
    static let maximumRecordLength = 1 << 20
    static let tooLong = "the record is longer than 1 MiB"

    /// The format that the ending of a path names.
    init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        let ending = path[path.index(after: dot)...].lowercased()
        self.init(rawValue: ending == "ndjson" ? "jsonl" : ending)
    }
}
