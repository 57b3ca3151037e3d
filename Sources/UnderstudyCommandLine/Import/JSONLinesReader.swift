import BusinessLogic

/// Reads the records of a file one by one, so that only one is in memory. Each line has a JSON object, whose members are strings or null; empty
/// lines are skipped. If the names of members are unknown, members may have other values, which it returns as JSON.
struct JSONLinesReader: ~Copyable {
    private(set) var lines: LineReader
    private var line = 0
    private let members: [String]?

    /// - Parameter known: the names that members may have; `nil` for any.
    init(_ lines: consuming LineReader, members known: [String]?) {
        self.lines = lines
        members = known
    }

    /// Whether the file can begin with an object or an empty line. A CSV file begins with the name of a column.
    mutating func canBegin() -> Bool {
        guard let first = lines.first else { return true }
        return first == UInt8(ascii: "{") || Self.isSpace(first) || first == UInt8(ascii: "\n")
    }

    /// Returns the next record; `nil` at the end.
    ///
    /// - Throws: ``RejectedLine`` if a record is malformed. The next call continues after it.
    mutating func next() throws(RejectedLine) -> Record? {
        while let text = lines.next() {
            line += 1
            guard text.count <= LineReader.maximumLength else {
                throw RejectedLine(line: line, reason: "the record is longer than 1 MiB")
            }
            if text.allSatisfy(Self.isSpace) { continue }
            guard String(validating: text, as: UTF8.self) != nil else {
                throw RejectedLine(line: line, reason: "the text is not UTF-8")
            }
            return Record(line: line, values: try values(text))
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
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
}

/// The values of one account or product in a file.
struct Record: Equatable {
    /// The number of its line, from 1.
    let line: Int
    /// The values by the names of its members, without empty values and null.
    let values: [String: String]
}

/// A line of a file that is not imported.
struct RejectedLine: Error, Equatable {
    /// Its number, from 1.
    let line: Int
    let reason: String
}
