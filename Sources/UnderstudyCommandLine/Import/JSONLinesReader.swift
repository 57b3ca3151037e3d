import Foundation

/// Reads a file with a JSON object on each line, whose members are strings or null, and skips empty lines.
struct JSONLinesReader: RecordReader, ~Copyable {
    private var bytes: ByteReader
    private var line = 0
    private let members: [String]

    var position: Int { bytes.position }
    var size: Int? { bytes.size }
    var readError: String? { bytes.error }

    /// - Parameter known: the names that members may have.
    init(_ bytes: consuming ByteReader, members known: [String]) {
        self.bytes = bytes
        members = known
    }

    mutating func next() throws(RejectedLine) -> Record? {
        while bytes.peek() != nil {
            line += 1
            let text = try readLine()
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == .carriageReturn }) { continue }
            guard String(validating: text, as: UTF8.self) != nil else {
                throw RejectedLine(line: line, reason: "the text is not UTF-8")
            }
            guard let values = try? JSONDecoder().decode([String: String?].self, from: Data(text)) else {
                throw RejectedLine(line: line, reason: "expected a JSON object whose members are strings")
            }
            if let unknown = values.keys.filter({ !members.contains($0) }).min() {
                let names = members.joined(separator: ", ")
                throw RejectedLine(line: line, reason: "unknown member '\(unknown)'; the members may be \(names)")
            }
            return Record(line: line, values: values.compactMapValues { $0 }.filter { !$0.value.isEmpty })
        }
        return nil
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
