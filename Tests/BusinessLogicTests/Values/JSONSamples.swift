/// JSON texts according to RFC 8259: those that every reader must accept or must reject, and those that it may.
enum JSONSamples {
    typealias Text = [UInt8]

    // MARK: Valid

    static let valid: [Text] = texts(validScalars, validNumbers, validStrings, spaced, validStructures)

    private static let validScalars = ["null", "true", "false", "-1", "1.5", #""""#, #""a""#]

    private static let validNumbers = all(
        combinations(
            ["", "-"],
            ["0", "7", "1234567890"],
            ["", ".0", ".125"],
            ["", "e0", "E1", "e+2", "E+03", "e-2"]
        ),
        [
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
            "9007199254740993", "123456789012345678901234567890", "1.7976931348623157e308", "-1.7976931348623157e308",
            "2.2250738585072014e-308", "0.1", "3.141592653589793238462643383279", "0e+1", "-0e-1",
            "-0.\(repeated("0", 80))1", "1\(repeated("0", 300))", "0.\(repeated("0", 400))e1",
        ]
    )

    /// Each as a string, and in the name and the value of a member.
    private static let validStrings: [String] = all(
        [#"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#],
        // A backslash that is itself escaped begins no escape.
        [#"\\n"#, #"\\u0041"#, #"\\\""#, #"\\\\"#, #"\"\""#],
        [
            "0000", "0001", "001F", "0022", "002f", "005C", "0061", "007f", "0080", "00A0", "00e9", "07FF", "0800",
            "2028", "20aC", "D7FF", "E000", "fdd0", "FEFF", "FFFE", "ffff", "aBcD",
        ].map { #"\u"# + $0 },
        [
            #"\uD800\uDC00"#, #"\uDBFF\uDFFF"#, #"\ud83d\ude00"#, #"\uD834\uDd1e"#, #"\uDBFF\uDFFE"#,
            #"\ud83d\ude00\ud83d\ude00"#, #"a\ud83d\ude00b"#, #"\u0000\ud83d\ude00\u0000"#,
        ],
        [
            0x20, 0x7F, 0x80, 0xA0, 0xE9, 0x7FF, 0x800, 0x20AC, 0x200B, 0x2028, 0x2029, 0x2060, 0x2064, 0xD7FF, 0xE000,
            0xFDD0, 0xFEFF, 0xFFFE, 0xFFFF, 0x10000, 0x1BFFF, 0x1D11E, 0x1F600, 0x1FFFE, 0x10FFFE, 0x10FFFF,
        ].map(character),
        ["e\u{301}", "π¢€𐍈", repeated("a", 10_000)],
        // Syntax characters inside a string.
        ["/", "//", "/* a */", "# a", "[", "]", "{", "}", ":", ",", "'", "null", "NaN", "0"]
    ).flatMap { ["\"\($0)\"", "{\"\($0)\":\"x\($0)x\"}"] }

    private static let spaced: [String] = [" ", "\t", "\n", "\r", "\r\n", " \t\r\n "].flatMap { space in
        ["_1_", "[_]", "{_}", "[_1_,_2_]", #"{_"a"_:_1_,_"b"_:_null_}"#].map { $0.replacing("_", with: space) }
    }

    private static let validStructures = [
        "[]", "{}", "[[]]", "[{}]", "[[],[]]", "[[[]],{}]", #"{"a":[]}"#, #"{"a":{}}"#, #"{"":0}"#, #"{"":{"":""}}"#,
        "[null]", "[true]", "[false]", "[0]", #"[""]"#, #"["a"]"#, #"[null,1,"2",{},[],true,-1.5e3]"#,
        "[1,null,null,null,2]", #"{"a":1,"b":2,"c":3}"#, #"{"a":1,"A":2}"#,
        #"{"a":1,"a ":2}"#, #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":1}]"#, #"{"a\u0000":1,"a":2}"#,
        #"{"__proto__":null}"#, "[\(repeated("1,", 1000))1]", nested("[", "", "]", 32), nested(#"{"a":"#, "1", "}", 32),
    ]

    // MARK: Invalid

    static let invalid: [Text] =
        texts(
            inContexts(all(invalidWords, invalidNumbers, invalidStrings)),
            invalidStructures,
            followed,
            misspaced
        )
        + notUTF8

    private static let invalidWords: [String] = all(
        ["n", "nu", "nul", "t", "tr", "tru", "f", "fa", "fal", "fals"],
        combinations(["null", "true", "false"], ["x", "0", "null", "true"]),
        ["NULL", "TRUE", "FALSE", "Null", "True", "False"],
        [
            "NaN", "-NaN", "nan", "Inf", "+Inf", "-Inf", "Infinity", "-Infinity", "infinity", "undefined", "None",
            "nil",
            "yes", "a", "é", "😀", "*", "#", "@", "$", "&", "?", "<null>", "<.>", "(1)", "=1", #"\n"#, #"\u0031"#, #"\"#,
        ]
    )

    private static let invalidNumbers = [
        "+1", "+0", "++1", "-", "+", "--1", "-+1", "- 1", "-a", "-1x", "01", "-01", "00", "-00", "012", "01.5",
        "0123e4",
        ".", ".5", "-.5", ".-1", ".5e1", "1.", "-1.", "0.", "1.e1", "1.e+1", "1.e-1", "0.e1", "1..2", "1.2.3", "1.5.",
        "1.-5", "1.x", "e5", "-e5", "1e", "0e", "1E", "1e+", "1E+", "1e-", "1.5e", "1.5E-", "1ee2", "1eE2", "1e+-2",
        "1e--2", "1e2.5", "1e2e3", "1ex", "1e 2", "0x", "0x1", "0x1F", "0b1", "0o7", "1_000", "1 000", "1,000", "1'000",
        "1a", "1L", "1.5f", "1+2", "1-2", "1*2", "1/2", "1%", "١", "１", "½", "∞", "1e１", "−1",
    ]

    private static let invalidStrings: [String] = all(
        // Control characters.
        combinations(["\"a"], (0x00..<0x20).map(character), ["b\""]),
        // Escapes that do not exist.
        (0x20..<0x7F).map(character).filter { !#""\/bfnrtu"#.contains($0) }.map(escaped),
        ["é", "\n", "\0", "u{41}", "x41", "U00000041"].map(escaped),
        combinations([#""\u"#], ["", "0", "00", "004"], ["", "G", " ", "-", "+", "x", "é", "１", "\\", "\n"], ["\""]),
        [#""\ud83d\""#, #""\ud83d\u""#, #""\ud83d\ude""#, #""\ud83d\ude0x""#],
        // Quotation marks.
        ["\"", "\"a", #""a\""#, #""a\"#, "'a'", "'", "`a`", "“a”", "«a»", "\"a'", "'a\"", "a\"b\""],
        [#""a"b"#, #""a" "b""#, #""a""b""#, #""""a""""#, #""a" + "b""#, #"@"a""#, #"r"a""#]
    )

    private static let invalidStructures = [
        "", "[", "]", "{", "}", ",", ":", "[}", "{]", "[[]", "{{}}", "[[", "{{", "[{", "[{]", "{[", "][",
        "}{", "[[]}", "[{]}", #"{"a":[}"#, #"{"a":1]"#, "[1}", #"[""#, #"["a"#, #"["a""#, "[1", "[1,", "[1\n,2\n,",
        "[{},", "[null,", "[1 2]", "[1;2]", "[1:2]", "[1=2]", "[1|2]", "[[1][2]]", "[{}{}]", #"["a":1]"#,
        "[1,]", "[1,,]", "[1,,2]", "[,1]", "[,]", "[,,]", #"[ , ""]"#, "[1,]]", "[1],", "[...]", "1,2",
        #"{""#, #"{"a"#, #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":"b"#, #"{"a":["#, #"{"a":{"#, #"{"a":{}"#,
        "{,}", "{:}", "{:1}", "{1}", #"{"a"}"#, #"{"a":}"#, #"{"a",1}"#, #"{"a" 1}"#, #"{"a"=1}"#, #"{"a"=>1}"#,
        #"{"a";1}"#, #"{"a"::1}"#, #"{"a":1:2}"#, #"{"a":1,}"#, #"{"a":1,,}"#, #"{"a":1,,,,}"#, #"{,"a":1}"#,
        #"{"a":1,,"b":2}"#, #"{"a":1 "b":2}"#, #"{"a":1;"b":2}"#, #"{"a":1,"b"}"#, #"{"a":1,2}"#, #"{"a" "b":1}"#,
        "{a:1}", "{a_b:1}", "{é:1}", "{😀}", "{'a':1}", "{'a':'b'}", "{`a`:1}", "{1:1}", "{-1:1}", "{1e1:1}",
        "{null:1}", "{true:1}", "{[]:1}", "{{}:1}", "{[a]:1}", #"{"a":b}"#, #""a":1"#, #"{("a"):1}"#, #"[{"a":1},]"#,
        "[[[1,],2]]", "// a\n1", "/* a */1", "# a\n1", "<!-- a -->1", "[1 // a\n]", "[1,/* a */2]", "{/**/}", "{# a\n}",
        "/", "//", "/*", "/**/", "1/", "1/*", #"{"a"/**/:1}"#, "[1]// a", #"{"a":1}#"#, "-- a\n1",
        repeated("[", 500), repeated(#"[{"a":"#, 50_000), repeated("]", 1000),
        repeated("{", 1000),
    ]

    /// Values with trailing text.
    private static let followed = combinations(
        ["1", #""a""#, "null", "[]", "{}"],
        ["]", "}", ",", ":", ";", " null", " []", " {}", #" "a""#, " 1", "#", "//", #"\n"#, "*", "é", "'"]
    )

    /// Other white space than the four characters of JSON, and invisible characters.
    private static let misspaced: [String] = all(
        [" ", "\n", "\t\r\n "],
        [
            0x0, 0x1, 0x8, 0xB, 0xC, 0x1C, 0x1F, 0x7F, 0x85, 0xA0, 0x1680, 0x180E, 0x2003, 0x200B, 0x2028, 0x2029,
            0x202F,
            0x205F, 0x2060, 0x3000,
        ].map(character).flatMap { space in
            ["_", "_1", "1_", "[_]", "[1,_2]", #"{"a":_1}"#, #"{_"a":1}"#].map { $0.replacing("_", with: space) }
        }
    )

    /// Bytes that are not UTF-8 outside of a string, byte order marks, and UTF-16. `JSONReaderTests` has those inside of a string.
    private static let notUTF8: [Text] =
        [("", ""), ("1", ""), ("1e", ""), ("[1", ",2]"), ("{", ":1}"), (#"{"a":1"#, "}"), ("{}", "")].flatMap {
            before,
            after in [0x80, 0xC3, 0xFF].map { Array(before.utf8) + [$0] + Array(after.utf8) }
        } + [
            [0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0x7B, 0x7D], [0x5B, 0, 0x5D, 0],
            [0, 0x5B, 0, 0x5D], [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], [0xFE, 0xFF, 0, 0x5B, 0, 0x5D],
        ]

    // MARK: Optional

    /// Texts that a reader may reject, but not according to the wire contract. `JSONReaderTests` has those that it rejects.
    static let accepted: [Text] = texts([
        // Unicode considers the two names equal, and Foundation keeps one of them.
        "{\"\u{E9}\":1,\"e\u{301}\":2}",
        "123.456e-789", "1e-400", "-1e-400", "0e400", "0.0e999999999999", "5e-324", "1e-999999999999",
        repeated("9", 300), "-\(repeated("1", 300))", "-9223372036854775809", "[\(repeated("[],", 10_000))[]]",
    ])

    // MARK: Parts

    private static func texts(_ lists: [String]...) -> [Text] { lists.joined().map { Array($0.utf8) } }

    private static func all(_ lists: [String]...) -> [String] { Array(lists.joined()) }

    private static func character(_ number: Int) -> String { String(decoding: [UInt32(number)], as: UTF32.self) }

    private static func escaped(_ text: String) -> String { #""\"# + text + #"""# }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static func nested(_ opening: String, _ inner: String, _ closing: String, _ levels: Int) -> String {
        repeated(opening, levels) + inner + repeated(closing, levels)
    }

    /// An invalid value, alone, as an element and as a member.
    private static func inContexts(_ strings: [String]) -> [String] {
        strings.flatMap { [$0, "[\($0)]", "[1, \($0) ,2]", "{\"a\":\($0)}"] }
    }

    /// Every choice of one part from each list.
    private static func combinations(_ lists: [String]...) -> [String] {
        lists.reduce([""]) { texts, list in texts.flatMap { text in list.map { text + $0 } } }
    }
}
