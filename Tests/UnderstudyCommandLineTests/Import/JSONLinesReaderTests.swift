import Testing

@testable import UnderstudyCommandLine

@Suite struct JSONLinesReaderTests {
    /// The result of reading: the line and the values of each record, or the rejected line.
    private func read(_ text: String) -> [String] {
        read(Array(text.utf8))
    }

    private func read(_ bytes: [UInt8]) -> [String] {
        var reader = JSONLinesReader(ByteReader(bytes), members: ["a", "b"])
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

    @Test func `one object per line is read`() {
        #expect(
            read("{\"a\":\"1\",\"b\":\"\\u0000\\n\"}\r\n\n \t\n{\"b\":null,\"a\":\"\"}\n{ \"a\" : \"2\" }")
                == ["1: a=1 b=\0\n", "4: ", "5: a=2"]
        )
    }

    @Test func `an invalid line is rejected, and the rest is read`() {
        let reason = "expected a JSON object whose members are strings"
        #expect(
            read("[]\n{\"a\":1}\n{\"a\":\"1\"\n{\"c\":\"1\"}\n{\"a\":\"1\"}\n")
                == [
                    "1! \(reason)", "2! \(reason)", "3! \(reason), but the text ends too early",
                    "4! unknown member 'c'; the members may be a, b",
                    "5: a=1",
                ]
        )
    }

    @Test func `a line that contains a member twice is rejected`() {
        #expect(
            read("{\"a\":\"1\",\"b\":\"2\",\"a\":\"3\"}\n{\"a\":\"1\"}")
                == ["1! expected a JSON object whose members are strings, but the member 'a' occurs twice", "2: a=1"]
        )
    }

    @Test func `a byte order mark at the beginning is accepted`() {
        #expect(read("\u{FEFF}{\"a\":\"1\"}\n") == ["1: a=1"])
    }

    @Test func `text that is not UTF-8 is rejected`() {
        #expect(
            read(Array(#"{"a":""#.utf8) + [0xFF] + Array("\"}\n{\"a\":\"1\"}".utf8)) == [
                "1! the text is not UTF-8", "2: a=1",
            ]
        )
    }

    @Test func `a line that is too long is not kept in memory`() {
        let long = String(repeating: "x", count: 1 << 20)
        #expect(read("{\"a\":\"\(long)\"}\n{\"a\":\"1\"}") == ["1! the record is longer than 1 MiB", "2: a=1"])
    }
}
