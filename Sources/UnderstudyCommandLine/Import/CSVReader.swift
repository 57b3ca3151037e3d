/// Reads a CSV file as RFC 4180 describes it, with a header line, in UTF-8. Lines may also end in a line feed alone, a byte
/// order mark may stand before the first, and empty lines are skipped.
struct CSVReader: RecordReader, ~Copyable {
    private var bytes: ByteReader
    private var line = 1
    private var columns: [String] = []

    var position: Int { bytes.position }
    var size: Int? { bytes.size }
    var readError: String? { bytes.error }

    /// Reads the header.
    ///
    /// - Parameter known: the names that columns may have.
    /// - Throws: ``RefusedLine`` where it names others, one twice, or there is none.
    init(_ bytes: consuming ByteReader, columns known: [String]) throws(RefusedLine) {
        self.bytes = bytes
        skipMark()
        guard let header = try fields() else { throw RefusedLine(line: 1, reason: "there is no header") }
        columns = header.fields
        if let unknown = columns.first(where: { !known.contains($0) }) {
            let names = known.joined(separator: ", ")
            throw RefusedLine(line: header.line, reason: "unknown column '\(unknown)'; known are \(names)")
        }
        guard Set(columns).count == columns.count else {
            throw RefusedLine(line: header.line, reason: "a column is named twice")
        }
    }

    mutating func next() throws(RefusedLine) -> Record? {
        guard let (start, fields) = try fields() else { return nil }
        guard fields.count == columns.count else {
            throw RefusedLine(line: start, reason: "\(fields.count) fields instead of \(columns.count)")
        }
        return Record(
            line: start,
            values: Dictionary(uniqueKeysWithValues: zip(columns, fields).filter { !$0.1.isEmpty })
        )
    }

    private mutating func skipMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        // No name of a column begins with a part of it.
        for byte in mark where bytes.peek() == byte { _ = bytes.read() }
    }

    /// The fields of the next record that is no empty line.
    private mutating func fields() throws(RefusedLine) -> (line: Int, fields: [String])? {
        while bytes.peek() != nil {
            let start = line
            do {
                let fields = try record()
                if fields != [""] { return (start, fields) }
            } catch {
                if !error.isAtLineEnd { skipLine() }
                throw RefusedLine(line: start, reason: error.reason)
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
                throw Malformation(reason: "not UTF-8", isAtLineEnd: end)
            }
            fields.append(text)
            if end { return fields }
        }
    }

    /// Reads what stands behind a field; `true` where that is the end of the record.
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
        case .carriageReturn?: throw Malformation(reason: "a carriage return without a line feed")
        default: throw Malformation(reason: "something stands behind a closing quote")
        }
    }

    private mutating func plain(since start: Int) throws(Malformation) -> [UInt8] {
        var field: [UInt8] = []
        while let byte = bytes.peek(), byte != .comma, byte != .lineFeed, byte != .carriageReturn {
            guard byte != .quote else { throw Malformation(reason: "a quote in a field that does not begin with one") }
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
        throw Malformation(reason: "a quote is not closed", isAtLineEnd: true)
    }

    private mutating func append(_ byte: UInt8, to field: inout [UInt8], since start: Int) throws(Malformation) {
        _ = bytes.read()
        field.append(byte)
        guard bytes.position - start <= RecordFormat.longestRecord else {
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
