@testable import BusinessLogic

struct JSONReaderTests {
    // MARK: Valid

    @Test(
        arguments: [
            ("null", .null), ("true", true), ("false", false), (#""""#, ""), ("[]", []), ("{}", [:]),
            (" \t\r\n[ 1 ,\n2 ]\r\n", [1, 2]),
            (#"{ "a" : { "b" : [ null , { } , [ ] ] } }"#, ["a": ["b": [nil, [:], []]]]),
            (#"{"":1}"#, ["": 1]),
        ] as [(String, Value)]
    )
    func `every kind of value is read`(text: String, value: Value) throws { #expect(try read(text) == value) }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1000000", 1_000_000),
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max),
            ("-9223372036854775807", .min + 1), ("-9223372036854775808", .min),
        ] as [(String, Int)]
    )
    func `an integer of up to 64 bits is exact`(text: String, integer: Int) throws {
        #expect(try read(text) == .number(.integer(integer)))
    }

    @Test(
        arguments: [
            ("9223372036854775808", 9_223_372_036_854_775_808), ("-9223372036854775809", -9_223_372_036_854_775_808),
            ("18446744073709551616", 18_446_744_073_709_551_616),
            ("123456789012345678901234567890", 1.2345678901234568e29),
            ("1.0", 1), ("-0.0", -0.0), ("0.1", 0.1), ("-1.5", -1.5), ("1e2", 100), ("1E+2", 100), ("1e-2", 0.01),
            ("0e0", 0), ("0.5e1", 5), ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("0e400", 0),
        ] as [(String, Double)]
    )
    func `any other number is a double`(text: String, double: Double) throws {
        #expect(try read(text) == .number(.double(double)))
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u00E9\u20ac""#, "Aéé€"),
        (#""\ud83d\ude00 \uD800\uDC00 \uDBFF\uDFFF""#, "😀 \u{10000} \u{10FFFF}"),
        (#""\u0000""#, "\0"),
        (#""a\u0000b""#, "a\0b"),
        (#""\uFEFF\uFFFF""#, "\u{FEFF}\u{FFFF}"),
        ("\"\u{7F}\u{80}\u{2028}\u{FEFF}\u{10FFFF}\"", "\u{7F}\u{80}\u{2028}\u{FEFF}\u{10FFFF}"),
        (#""é\né""#, "é\né"),
        ("\"/\"", "/"),
    ])
    func `a string is read with its escapes`(text: String, string: String) throws {
        #expect(try read(text).string?.bytes == string.bytes)
    }

    @Test func `members keep their order`() throws {
        #expect(try read(#"{"z":1,"a":2,"m":3}"#).object?.map(\.name) == ["z", "a", "m"])
    }

    @Test func `names that differ in bytes are different members`() throws {
        let object = try #require(try read("{\"\u{E9}\":1,\"e\u{301}\":2}").object)
        #expect(object.map { $0.name.bytes } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
    }

    @Test(arguments: [0, 1, 16, 17, 18, 100, 5000])
    func `an object can have any number of members`(count: Int) throws {
        let members = (0..<count).map { "\"\($0)\":\($0)" }.joined(separator: ",")
        #expect(try read("{\(members)}").object?.count == count)
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `32 levels are read, to which siblings do not add`(opening: String, closing: String) throws {
        let deep = opening.repeated(30) + "0" + closing.repeated(30)
        #expect(throws: Never.self) { try read("[[\(deep),\(deep)],[\(deep)]]") }
    }

    // MARK: Invalid, with the offset

    /// `▸` marks the expected offset; it is not part of the text.
    @Test(arguments: [
        // No value, or several.
        "▸", " \n▸", "{} ▸x", "1 ▸2", "{}▸{}", "[]▸]", "true▸true", "1▸,2", "\"a\"▸\"b\"", "▸]", "▸}", "▸,", "▸:",
        // Literals.
        "tru▸", "tr▸ve", "true▸x", "▸True", "▸NULL", "n▸il", "nul▸", "fals▸", "false▸e",
        // Numbers.
        "0▸1", "-0▸1", "-▸", "-▸a", "▸+1", "▸.5", "1.▸", "1.▸e5", "1e▸", "1e+▸", "1E-▸x", "1e5▸.5", "0▸x10", "1▸_000",
        "▸NaN", "-▸Infinity", "▸١", "[0▸0]", "[1▸\u{A0}]", "▸1e400", "[▸-1e400]", "▸0.4e00669999999999999999999999999",
        // Arrays and objects.
        "[▸", "[1▸", "[1,▸", "[1,▸]", "[▸,1]", "[1 ▸2]", "[1▸}", "[1,▸,2]", "[▸}",
        "{▸", #"{"a"▸"#, #"{"a":▸"#, #"{"a":1▸"#, #"{"a":1,▸"#, #"{"a":1,▸}"#, #"{▸,"a":1}"#, #"{"a" ▸1}"#, #"{"a":▸}"#,
        "{▸1:2}", "{▸a:1}", "{▸'a':1}", "{▸null:1}", #"{"a":1▸]"#, #"{"a":1 ▸"b":2}"#, #"{"a"▸,1}"#, #"{"a":▸:1}"#,
        "[▸// a\n]", "[▸/* a */]", "{▸# a\n}",
        // Other white space.
        "▸\u{A0}1", "1▸\u{85}", "▸\u{FEFF}{}", "[▸\u{FEFF}]", "▸\0", "1▸\0", "[▸\0]",
        // Strings.
        "▸\"", "[▸\"abc", "▸\"abc\\\"", "▸\"é", "▸'a'", "{▸\"a", #"[▸"abc\n"#,
        "\"▸\n\"", "\"a▸\0b\"", "\"▸\u{1F}\"", "\"\\n▸\t\"", "{\"a▸\r\":1}",
        #""▸\x""#, #""ab▸\ ""#, "\"▸\\\u{E9}\"",
        #""\u▸""#, #""\u▸"#, #""\u12▸G4""#, #""\u12▸"#, #""\u▸+123""#, #""\u004▸""#, #""\u00▸４１""#,
        // Halves of surrogate pairs.
        #""▸\ud800""#, #""▸\udbff""#, #""▸\udc00""#, #""▸\udfff""#, #""a▸\ud83dx""#, #""▸\ud83d\n""#,
        #""▸\ud83d\ud83d""#, #""▸\ud83d\u0041""#, #""▸\ude00\ud83d""#, #""\ud83d\ude00▸\ude00""#, #""\ud83d\u▸""#,
        #""\ud83d\ude▸x0""#,
        // Duplicate members.
        #"{"a":1,▸"a":2}"#, #"{"a":1,"b":2,▸"a":1}"#, #"{"a":1 , ▸"\u0061":2}"#, #"{"\n":1,▸"\u000a":2}"#,
        #"{"":1,▸"":1}"#, #"{"é":1,▸"\u00e9":2}"#, #"{"😀":1,▸"\ud83d\ude00":2}"#,
        #"{"a":{"b":1,"c":[{"d":1,▸"d":2}]}}"#,
        #"[{"a":1},{"a":1,▸"a":1}]"#, #"{"a":{"a":{"a":1}},▸"a":1}"#,
    ])
    func `invalid JSON is rejected with the offset`(marked: String) throws {
        let parts = marked.utf8.split(separator: "▸".bytes, maxSplits: 1, omittingEmptySubsequences: false)
        let error = try #require(throws: JSONError.self) { try JSONReader.read(Array(parts.joined())) }
        #expect(error.offset == parts.first?.count)
    }

    @Test(arguments: [
        ("[", "the text ends too early"), ("", "the text ends too early"), ("-", "the text ends too early"),
        ("\u{FEFF}{}", "a byte order mark is not allowed"), ("1e400", "the number is too large"),
        ("{} {}", "nothing may follow the value"), (#"{"a":1,"a":2}"#, "the member 'a' occurs twice"),
        (#""\ud800""#, "a surrogate lacks its other half"), ("\"\n\"", "a control character must be escaped"),
        (#""abc"#, "the string does not end"), (#""\x""#, "the escape is invalid"), ("[1 2]", "expected ',' or ']'"),
        (#"{"a":1 2}"#, "expected ',' or '}'"), (#"{"a" 1}"#, "expected ':'"),
        ("{1:2}", "expected a member's name in quotation marks"), ("[,]", "expected a value"),
        (#""\u00x0""#, "expected four hexadecimal digits"), ("1.x", "expected a digit"),
    ])
    func `the error gives a reason`(text: String, reason: String) throws {
        let error = try #require(throws: JSONError.self) { try read(text) }
        #expect(error.reason == reason)
    }

    @Test(arguments: [("[", 33, 32), ("[[{\"a\":", 33, 72), (#"{"a":"#, 33, 32 * 5), ("[", 100_000, 32)])
    func `the 33rd level is rejected at its opening bracket`(opening: String, count: Int, offset: Int) {
        let text = opening.repeated(count)
        #expect(throws: JSONError(offset: offset, reason: "more than 32 levels deep")) { try read(text) }
    }

    @Test(arguments: 1..<40)
    func `a duplicate member is rejected at any position`(first: Int) throws {
        let names = (0..<40).map { "\"\($0)\":0" } + ["\"\(first)\":0"]
        let error = try #require(throws: JSONError.self) { try read("{\(names.joined(separator: ","))}") }
        #expect(error.offset == 1 + names.dropLast().map { $0.utf8.count + 1 }.reduce(0, +))
    }

    @Test(
        arguments: [
            "80", "BF", "C080", "C0AF", "C1BF", "E080AF", "E09FBF", "F08080AF", "F08FBFBF", "EDA080", "EDBFBF",
            "EDA0BDEDB880", "F4908080", "F5808080", "F888808080", "FE", "FF", "C3", "E282", "F09F98", "C328", "E228A1",
            "F09F2880", "80BF", "C0", "C1", "F5", "FEFF", "E2", "F0", "F09F", "E28228", "C3C3", "E08080", "F4BFBFBF",
            "F7BFBFBF", "FC8480808080", "FC83BFBFBFBF",
        ]
    )
    func `bytes that are not UTF-8 are rejected with their offset`(hexadecimal: String) throws {
        let number = try #require(UInt64(hexadecimal, radix: 16))
        let invalid = (1...hexadecimal.count / 2).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * ($0 - 1))) }
        for before in ["[\"", "[\"ok", "[\"é€😀", "{\"", "{\"a\":\"é", #"["\n"#, #"["é\u00e9x"#, #"{"a\tb":"\\é"#] {
            for after in ["\"", "x\"", "é\"]", #"\n""#] {
                let bytes = before.bytes + invalid + after.bytes
                let error = JSONError(offset: before.utf8.count, reason: "not UTF-8")
                #expect(throws: error, "\(before) \(after)") { try JSONReader.read(bytes) }
            }
        }
    }

    @Test(arguments: [0x80, 0xC3, 0xE2, 0xFF] as [UInt8])
    func `bytes beyond ASCII are rejected outside strings`(byte: UInt8) {
        #expect(throws: JSONError(offset: 1, reason: "expected a value")) { try JSONReader.read([0x5B, byte, 0x5D]) }
    }

    @Test(arguments: [
        #"{"event":"loginButtonPressed","values":{"username":"batman","password":"bruce"}}"#,
        #"  [ null , true , false , -12.5e+3 , 0 , "a\"\\\/\b\f\n\r\tz" , { } , [ ] , {"é":"\u00e9\ud83d\ude00😀"} ]"#,
        #"{"a":{"b":{"c":[[[[1,2],[3]],"x"],{}]}}}"#,
        #""€ \u20ac 😀 \ud83d\ude00""#,
        "true", "false", "null",
    ])
    func `a truncated text is rejected, wherever it ends`(text: String) throws {
        let bytes = text.bytes
        #expect(throws: Never.self) { try JSONReader.read(bytes) }
        for count in bytes.indices {
            let error = #expect(throws: JSONError.self) { try JSONReader.read(Array(bytes[..<count])) }
            #expect((0...count).contains(error?.offset ?? -1))
        }
    }

    @Test func `control characters, escapes that do not exist and other white space are rejected`() {
        func character(_ number: Int) -> String { String(decoding: [UInt32(number)], as: UTF32.self) }
        let controls = (0x00..<0x20).map { "\"a\(character($0))b\"" }
        let escapes = (0x20..<0x7F).map(character).filter { !#""\/bfnrtu"#.contains($0) }.map { "\"\\\($0)\"" }
        let spaces = [
            0x0, 0x1, 0x8, 0xB, 0xC, 0x1C, 0x1F, 0x7F, 0x85, 0xA0, 0x1680, 0x180E, 0x2003, 0x200B, 0x2028, 0x2029,
            0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF,
        ]
        let spaced = spaces.map(character).flatMap { ["\($0)1", "1\($0)", "[\($0)]", "[1,\($0)2]", "{\($0)\"a\":1}"] }
        for text in controls + escapes + spaced {
            #expect(throws: JSONError.self, "\(text.debugDescription)") { try read(text) }
        }
    }

    func read(_ text: String) throws -> Value { try JSONReader.read(text.bytes) }
}
