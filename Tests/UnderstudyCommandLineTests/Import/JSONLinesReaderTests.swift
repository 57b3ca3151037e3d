import Foundation
import Testing

@testable import UnderstudyCommandLine

@Suite struct JSONLinesReaderTests {
    private let workplace = Workplace()
    private static let reason = "expected a JSON object whose members are strings"

    @Test(arguments: [
        (
            "an object on each line is read",
            "{\"a\":\"1\",\"b\":\"\\u0000\\n\"}\r\n\n \t\n{\"b\":null,\"a\":\"\"}\n{ \"a\" : \"2\" }",
            ["1: a=1 b=\0\n", "4: ", "5: a=2"]
        ),
        (
            "an invalid line is rejected, and the rest is read",
            "[]\n{\"a\":1}\n{\"a\":\"1\"\n{\"c\":\"1\"}\n{\"a\":\"1\"}\n",
            [
                "1! \(reason)", "2! \(reason)", "3! \(reason), but the text ends too early",
                "4! unknown member 'c'; the members may be a, b", "5: a=1",
            ]
        ),
        (
            "a line that contains a member twice is rejected", "{\"a\":\"1\",\"b\":\"2\",\"a\":\"3\"}\n{\"a\":\"1\"}",
            ["1! \(reason), but the member 'a' occurs twice", "2: a=1"]
        ),
        ("a byte order mark at the beginning is accepted", "\u{FEFF}{\"a\":\"1\"}\n", ["1: a=1"]),
    ])
    func `each line is a record or is rejected`(rule: String, text: String, rows: [String]) throws {
        #expect(try read(Array(text.utf8)) == rows, "\(rule)")
    }

    @Test func `text that is not UTF-8 is rejected, and a line that is too long is not kept in memory`() throws {
        for (value, error) in [
            ([0xFF], "the text is not UTF-8"),
            (Array(repeating: 0x20, count: 1 << 20), "the record is longer than 1 MiB"),
        ] as [([UInt8], String)] {
            let text = Array(#"{"a":""#.utf8) + value + Array("\"}\n{\"a\":\"1\"}".utf8)
            #expect(try read(text) == ["1! \(error)", "2: a=1"])
        }
    }

    /// The result of reading: the line and the values of each record, or the rejected line.
    private func read(_ bytes: [UInt8]) throws -> [String] {
        let file = workplace.folder.appendingPathComponent("lines.jsonl")
        try Data(bytes).write(to: file)
        var reader = try JSONLinesReader(LineReader(path: file.path), members: ["a", "b"])
        var rows: [String] = []
        while true {
            do throws(RejectedLine) {
                guard let record = try reader.next() else { return rows }
                let values = record.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                rows.append("\(record.line): " + values.joined(separator: " "))
            } catch {
                rows.append("\(error.line)! \(error.reason)")
            }
        }
    }
}
