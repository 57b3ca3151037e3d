/// Reads a CSV file with a header line, as in RFC 4180, in UTF-8. It also accepts a line feed alone as the end of a line and a
/// byte order mark at the beginning, and skips empty lines.
struct CSVReader: RecordReader, ~Copyable {
    private var bytes: ByteReader
    private var line = 1
    private var columns: [String] = []

    var position: Int { bytes.position }
    var size: Int? { bytes.size }
    var readError: String? { bytes.error }

    /// Reads the header.
    ///
    /// - Parameter known: the names that columns may have; `nil` for any.
    /// - Throws: ``RejectedLine`` if the header is missing, or names an unknown column or one column twice.
    init(_ bytes: consuming ByteReader, columns known: [String]?) throws(RejectedLine) {
        self.bytes = bytes
        skipMark()
        guard let header = try fields() else { throw RejectedLine(line: 1, reason: "the header line is missing") }
        columns = header.fields
        if let known, let unknown = columns.first(where: { !known.contains($0) }) {
            let names = known.joined(separator: ", ")
            throw RejectedLine(line: header.line, reason: "unknown column '\(unknown)'; the columns may be \(names)")
        }
        guard Set(columns).count == columns.count else {
            throw RejectedLine(line: header.line, reason: "the header names a column twice")
        }
    }

    mutating func next() throws(RejectedLine) -> Record? {
        guard let (start, fields) = try fields() else { return nil }
        guard fields.count == columns.count else {
            throw RejectedLine(line: start, reason: "expected \(columns.count) fields, but there are \(fields.count)")
        }
        return Record(
            line: start,
            values: Dictionary(uniqueKeysWithValues: zip(columns, fields).filter { !$0.1.isEmpty })
        )
    }

    private mutating func skipMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        // No column has a name that begins with one of these bytes.
        for byte in mark where bytes.peek() == byte { _ = bytes.read() }
    }

    /// Returns the fields of the next record, and skips empty lines.
    private mutating func fields() throws(RejectedLine) -> (line: Int, fields: [String])? {
        while bytes.peek() != nil {
            let start = line
            do {
                let fields = try record()
                if fields != [""] { return (start, fields) }
            } catch {
                if !error.isAtLineEnd { skipLine() }
                throw RejectedLine(line: start, reason: error.reason)
            }
        }
        return nil
    }

    private struct Malformation: Error {
        let reason: String
        var isAtLineEnd = false
    }

    private mutating func record() throws(Malformation) -> [String] {
        let start = bytes.position
        var fields: [String] = []
        while true {
            let field = bytes.peek() == .quote ? try quoted(since: start) : try plain(since: start)
            let end = try separator()
            guard let text = String(validating: field, as: UTF8.self) else {
                throw Malformation(reason: "the text is not UTF-8", isAtLineEnd: end)
            }
            fields.append(text)
            if end { return fields }
        }
    }

    /// Reads the separator after a field, and returns whether it ends the record.
    private mutating func separator() throws(Malformation) -> Bool {
        switch bytes.read() {
        case .comma?: return false
        case nil: return true
        case .lineFeed?:
            line += 1
            return true
        case .carriageReturn? where bytes.peek() == .lineFeed:
            _ = bytes.read()
            line += 1
            return true
        case .carriageReturn?: throw Malformation(reason: "a line feed must follow a carriage return")
        default: throw Malformation(reason: "a comma or the end of the line must follow a closing quote")
        }
    }

    private mutating func plain(since start: Int) throws(Malformation) -> [UInt8] {
        var field: [UInt8] = []
        while let byte = bytes.peek(), byte != .comma, byte != .lineFeed, byte != .carriageReturn {
            guard byte != .quote else {
                throw Malformation(reason: "a field that contains a quote must begin and end with one")
            }
            try append(byte, to: &field, since: start)
        }
        return field
    }

    private mutating func quoted(since start: Int) throws(Malformation) -> [UInt8] {
        var field: [UInt8] = []
        _ = bytes.read()
        while let byte = bytes.peek() {
            if byte == .quote {
                _ = bytes.read()
                if bytes.peek() != .quote { return field }
            }
            if byte == .lineFeed { line += 1 }
            try append(byte, to: &field, since: start)
        }
        throw Malformation(reason: "the closing quote is missing", isAtLineEnd: true)
    }

    private mutating func append(_ byte: UInt8, to field: inout [UInt8], since start: Int) throws(Malformation) {
        _ = bytes.read()
        field.append(byte)
        guard bytes.position - start <= RecordFormat.maximumRecordLength else {
            throw Malformation(reason: RecordFormat.tooLong)
        }
    }

    private mutating func skipLine() {
        while let byte = bytes.read() {
            if byte == .lineFeed {
                line += 1
                return
            }
        }
    }
}

extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}
