import Testing

@testable import UnderstudyCommandLine

/// The result of reading: the line and the values of each record, or the rejected line.
private func rows(_ reader: consuming some RecordReader & ~Copyable) -> [String] {
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

@Suite struct CSVReaderTests {
    private func read(_ text: String, columns: [String] = ["a", "b"]) throws -> [String] {
        try read(bytes: Array(text.utf8), columns: columns)
    }

    private func read(bytes: [UInt8], columns: [String] = ["a", "b"]) throws -> [String] {
        rows(try CSVReader(ByteReader(bytes), columns: columns))
    }

    @Test(arguments: [
        ("a,b\n1,2\n", ["2: a=1 b=2"]),
        ("a,b\r\n1,2\r\n3,4", ["2: a=1 b=2", "3: a=3 b=4"]),
        ("\u{FEFF}b,a\n1,2", ["2: a=2 b=1"]),
        ("a,b\n\n1,2\n\r\n3,4\n", ["3: a=1 b=2", "5: a=3 b=4"]),
        ("\"a\",b\n\"1,\"\"x\"\"\",\" 2 \"\n", ["2: a=1,\"x\" b= 2 "]),
        ("a,b\n\"1\r\n2\n\",3\n4,5\n", ["2: a=1\r\n2\n b=3", "5: a=4 b=5"]),
        ("a,b\n,\n\"\",1\n", ["2: ", "3: b=1"]),
        ("a,b\nü😀,\0\n", ["2: a=ü😀 b=\0"]),
        ("a,b", []),
        ("a\n\"\"\n1\n", ["3: a=1"]),
    ])
    func `records are read as in RFC 4180`(text: String, records: [String]) throws {
        #expect(try read(text) == records)
    }

    @Test(arguments: [
        ("a,b\n1\n3,4\n", ["2! expected 2 fields, but there are 1", "3: a=3 b=4"]),
        ("a,b\n1,2,3\n3,4\n", ["2! expected 2 fields, but there are 3", "3: a=3 b=4"]),
        ("a,b\n1\"2,3\n3,4\n", ["2! a field that contains a quote must begin and end with one", "3: a=3 b=4"]),
        ("a,b\n\"1\"2,3\n3,4\n", ["2! a comma or the end of the line must follow a closing quote", "3: a=3 b=4"]),
        ("a,b\n1\r2,3\n3,4\n", ["2! a line feed must follow a carriage return", "3: a=3 b=4"]),
        ("a,b\n\"1,2\n3,4\n", ["2! the closing quote is missing"]),
    ])
    func `a malformed record is rejected with its line, and the rest is read`(text: String, records: [String]) throws {
        #expect(try read(text) == records)
    }

    @Test func `text that is not UTF-8 is rejected`() throws {
        let bytes: [UInt8] = Array("a,b\n".utf8) + [0xFF] + Array(",1\n2,".utf8) + [0xC3] + Array("\n3,4\n".utf8)
        #expect(try read(bytes: bytes) == ["2! the text is not UTF-8", "3! the text is not UTF-8", "4: a=3 b=4"])
    }

    @Test func `a record that is too long is not kept in memory`() throws {
        let long = String(repeating: "x", count: 1 << 20)
        #expect(try read("a,b\n\(long),1\n2,3\n") == ["2! the record is longer than 1 MiB", "3: a=2 b=3"])
        #expect(try read("a,b\n\"\(long)x\ny\",1\n2,3\n").first == "2! the record is longer than 1 MiB")
    }

    @Test(arguments: [
        ("", 1, "the header line is missing"), ("\n\n", 1, "the header line is missing"),
        ("\na,c\n", 2, "unknown column 'c'; the columns may be a, b"),
        ("a,a\n", 1, "the header names a column twice"), ("a,\n", 1, "unknown column ''; the columns may be a, b"),
        ("\"a\n", 1, "the closing quote is missing"),
    ])
    func `an invalid header is rejected`(text: String, line: Int, reason: String) {
        #expect(throws: RejectedLine(line: line, reason: reason)) { try read(text) }
    }
}

@Suite struct JSONLinesReaderTests {
    private func read(_ text: String) -> [String] {
        rows(JSONLinesReader(ByteReader(Array(text.utf8)), members: ["a", "b"]))
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
}
