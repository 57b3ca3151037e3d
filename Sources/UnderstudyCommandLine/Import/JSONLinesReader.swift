import BusinessLogic

/// Reads a file with a JSON object on each line, whose members are strings or null, and skips empty lines. It accepts a byte order mark at
/// the beginning. If the names of members are unknown, members may have other values, which it returns as JSON.
struct JSONLinesReader: RecordReader, ~Copyable {
    private var bytes: ByteReader
    private var line = 0
    private let members: [String]?

    var position: Int { bytes.position }
    var size: Int? { bytes.size }
    var readError: String? { bytes.error }

    /// - Parameter known: the names that members may have; `nil` for any.
    init(_ bytes: consuming ByteReader, members known: [String]?) {
        self.bytes = bytes
        members = known
    }

    mutating func next() throws(RejectedLine) -> Record? {
        while bytes.peek() != nil {
            line += 1
            var text = try readLine()
            if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == .carriageReturn }) { continue }
            guard String(validating: text, as: UTF8.self) != nil else {
                throw RejectedLine(line: line, reason: "the text is not UTF-8")
            }
            return Record(line: line, values: try values(text))
        }
        return nil
    }

    /// The members of an object that are neither null nor empty.
    private func values(_ text: [UInt8]) throws(RejectedLine) -> [String: String] {
        let expected = "expected a JSON object" + (members == nil ? "" : " whose members are strings")
        let value: Value
        do throws(JSONError) {
            value = try JSONReader.read(text)
        } catch {
            throw RejectedLine(line: line, reason: "\(expected), but \(error.reason)")
        }
        guard case .object(let object) = value else { throw RejectedLine(line: line, reason: expected) }
        if let members, let unknown = object.map({ $0.name }).filter({ !members.contains($0) }).min() {
            let names = members.joined(separator: ", ")
            throw RejectedLine(line: line, reason: "unknown member '\(unknown)'; the members may be \(names)")
        }
        var values: [String: String] = [:]
        for (name, member) in object {
            switch member {
            case .null, .string(""): break
            case .string(let text): values[name] = text
            case let value where members == nil:
                values[name] = String(decoding: JSONWriter.bytes { $0.value(value) }, as: UTF8.self)
            default: throw RejectedLine(line: line, reason: expected)
            }
        }
        return values
    }

    private mutating func readLine() throws(RejectedLine) -> [UInt8] {
        var text: [UInt8] = []
        var length = 0
        while let byte = bytes.read(), byte != .lineFeed {
            length += 1
            if length <= RecordFormat.maximumRecordLength { text.append(byte) }
        }
        guard length <= RecordFormat.maximumRecordLength else {
            throw RejectedLine(line: line, reason: RecordFormat.tooLong)
        }
        return text
    }
}
