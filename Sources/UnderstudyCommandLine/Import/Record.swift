/// What a file says of one account or product.
struct Record: Equatable {
    /// The number of the line on which it begins, from 1.
    let line: Int
    /// What it says, by the names of the columns; nothing that is empty or null.
    let values: [String: String]
}

/// Something in a file that is not taken.
struct RefusedLine: Error, Equatable {
    /// The number of its first line, from 1.
    let line: Int
    let reason: String
}

/// Reads records one after the other. No more of the file than one record is in memory.
protocol RecordReader: ~Copyable {
    /// How far it has got.
    var position: Int { get }
    /// How many bytes there are; `nil` where that is not known.
    var size: Int? { get }
    /// Why reading ended early, if it did.
    var readError: String? { get }

    /// The next record; `nil` at the end.
    ///
    /// - Throws: ``RefusedLine`` where there is none to be made out. The next call goes on behind it.
    mutating func next() throws(RefusedLine) -> Record?
}

/// What a file may look like.
enum RecordFormat: String, CaseIterable {
    case csv, jsonl

    /// No record may have more bytes.
    static let longestRecord = 1 << 20
    static let tooLong = "longer than 1 MiB"

    /// The format that a file's name says.
    init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        self.init(rawValue: path[path.index(after: dot)...].lowercased())
    }
}
