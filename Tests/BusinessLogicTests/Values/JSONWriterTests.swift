struct JSONWriterTests {
    @Test(
        arguments: [
            (.null, "null"), (true, "true"), (false, "false"), ([], "[]"), ([:], "{}"), ("", #""""#),
            ([1, [2, []], [:]], "[1,[2,[]],{}]"), (["z": 1, "a": ["b": nil]], #"{"z":1,"a":{"b":null}}"#),
            (["a\"b": "c"], #"{"a\"b":"c"}"#),
        ] as [(Value, String)]
    )
    func `every kind of value is written without spaces`(value: Value, text: String) { #expect(written(value) == text) }

    @Test(arguments: [
        0, 1, 9, 10, 11, 99, 100, 101, 12_345, 1_000_000_007, .max, .max - 1, 1_000_000_000_000_000_000,
        999_999_999_999_999_999, -1, -9, -10, -1_000, .min, .min + 1,
    ])
    func `integers are written in full`(integer: Int) {
        #expect(written(.number(.integer(integer))) == String(integer))
        #expect(JSONWriter.bytes { $0.integer(integer) } == String(integer).bytes)
    }

    @Test(
        arguments: [
            (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (0.1, "0.1"), (-2.5, "-2.5"), (1e16, "1e+16"), (1e-7, "1e-07"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.leastNonzeroMagnitude, "5e-324"),
        ] as [(Double, String)]
    )
    func `doubles are read back unchanged`(double: Double, text: String) throws {
        #expect(written(.number(.double(double))) == text)
        #expect(try JSONReader.read(text.bytes) == .number(.double(double)))
    }

    @Test(arguments: [.infinity, -.infinity, .nan, .signalingNaN] as [Double])
    func `a double that JSON cannot express is null`(double: Double) {
        #expect(written([.number(.double(double))]) == "[null]")
    }

    @Test(arguments: [
        ("plain", "plain"), ("\"\\/", #"\"\\/"#), ("\n\r\t", #"\n\r\t"#), ("\u{8}\u{C}", #"\u0008\u000c"#),
        ("\0\u{1}\u{1F}", #"\u0000\u0001\u001f"#), ("\u{7F}\u{80}\u{2028}", "\u{7F}\u{80}\u{2028}"),
        ("é€😀", "é€😀"), ("é\n😀", #"é\n😀"#), ("</script>", "</script>"), ("e\u{301}", "e\u{301}"),
    ])
    func `a string is escaped only where JSON requires it`(string: String, text: String) {
        #expect(written(.string(string)).bytes == "\"\(text)\"".bytes)
        #expect(written([string: 1]).bytes == "{\"\(text)\":1}".bytes)
    }

    @Test func `every character is read back by JSONReader and by Foundation`() throws {
        let scalars = (0...0x2FF).compactMap { UnicodeScalar($0) } + ["\u{FFFF}", "\u{10FFFF}", "\u{FEFF}", "\u{2029}"]
        let value = Value.string(String(String.UnicodeScalarView(scalars)))
        #expect(try JSONReader.read(value.json) == value)
        #expect(try decoded(Value.self, from: value.json.text) == value)
    }

    @Test(arguments: ["\"", "\\", "\n", "\u{1F}"])
    func `a character is escaped at each position of texts of each length`(character: Character) throws {
        for length in 1...20 {
            for position in 0..<length {
                var characters = Array(repeating: Character("a"), count: length)
                characters[position] = character
                let value = Value.string(String(characters))
                #expect(try decoded(Value.self, from: value.json.text) == value)
            }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random values are read back by JSONReader and by Foundation`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 1...100 {
            let value = random.value(depth: 5)
            #expect(try JSONReader.read(value.json) == value)
            #expect("\(value)\n".bytes == value.json)
            let theirs = try decoded(Value.self, from: value.json.text)
            #expect(theirs.withDoublesOnly == value.withDoublesOnly)
        }
    }

    @Test func `an array is written element by element`() {
        let bytes = JSONWriter.bytes { writer in
            writer.array(["a", "b"]) { $0.string($1) }
            writer.raw(",")
            writer.array([String]()) { $0.string($1) }
        }
        #expect(bytes.text == #"["a","b"],[]"#)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 20, 21, 22])
    func `a text that outgrows the estimated capacity is written completely`(capacity: Int) {
        let value: Value = ["text": "a\n😀", "n": -12]
        let bytes = JSONWriter.bytes(capacity: capacity) { $0.value(value) }
        #expect(bytes.text == #"{"text":"a\n😀","n":-12}"#)
    }

    @Test func `a body ends with a line feed`() { #expect(Value.null.json == "null\n".bytes) }

    func written(_ value: Value) -> String { (JSONWriter.bytes { $0.value(value) }).text }
}
