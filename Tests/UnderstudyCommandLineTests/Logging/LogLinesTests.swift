@testable import UnderstudyCommandLine

struct LogLinesTests {
    func line(
        _ message: String = "Request",
        _ members: [(String, Logger.MetadataValue)] = [],
        _ style: LogStyle
    ) -> String {
        var lines = LogLines(style.format)
        lines.begin(LogHead(.info, label: "understudy", message: message, style), at: .ms(1_751_371_200_250))
        for (name, value) in members { lines.add(name, value) }
        lines.end()
        return lines.text
    }

    @Test func `a line of text contains the time, the level, the message and the metadata`() {
        let members: [(String, Logger.MetadataValue)] = [
            ("page", "login"), ("reason", "two words"), ("status", .stringConvertible(200)), ("empty", ""),
            ("quoted", "it's"), ("backslash", #"a\b"#),
        ]
        #expect(
            line("Request", members, LogStyle(format: .text))
                == #"12:00:00.250Z INFO     Request page=login reason='two words' status=200 empty='' quoted='it\'s' backslash='a\\b'"#
                + "\n"
        )
        #expect(
            line("Request", [], LogStyle(format: .text, hasColour: true))
                == "12:00:00.250Z \u{1B}[32mINFO    \u{1B}[0m Request\n"
        )
    }

    @Test func `a line of JSON is an object whose numbers are JSON numbers`() {
        let members: [(String, Logger.MetadataValue)] = [
            ("status", .stringConvertible(200)), ("duration", .stringConvertible(0.25)), ("list", ["a", "b"]),
            ("object", ["b": "1", "a": .stringConvertible(true)]), ("other", .stringConvertible(Duration.seconds(1))),
        ]
        #expect(
            line("Request", members, LogStyle(format: .json))
                == """
                {"time":"2025-07-01T12:00:00.250Z","level":"info","logger":"understudy","message":"Request",\
                "status":200,"duration":0.25,"list":["a","b"],"object":{"a":true,"b":"1"},"other":"1.0 seconds"}

                """
        )
    }

    @Test(arguments: LogFormat.allCases)
    func `nothing that is logged begins another line or controls a terminal`(format: LogFormat) throws {
        let hostile = "a\nb\r\u{1B}[31m\u{0}\u{7F}\u{9B}\u{2028}\u{202E}\"\\ü😀"
        var lines = LogLines(format)
        lines.begin(LogHead(.info, label: hostile, message: hostile, LogStyle(format: format)))
        lines.add(hostile, "x")
        lines.add("swiftLog", .string(hostile))
        lines.add("access", text: hostile)
        lines.end()
        #expect(lines.text.hasSuffix("\n"))
        let text = String(lines.text.dropLast())
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        #expect(!text.contains("\u{2028}") && !text.contains("\u{202E}"))
        #expect(text.contains("ü😀"))
        if format == .json {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
            #expect(object["message"] == hostile)
            #expect(object["swiftLog"] == hostile)
            #expect(object["access"] == hostile)
        }
    }

    @Test(
        arguments: [
            "x' request=ID status=200 b='c", "x request=ID", #"x\' request=ID b='c"#, "' request=ID",
            "x \u{301}request=ID", "x\u{A0}request=ID",
            "'\u{301} request=ID", #"{"time":"","message":"Request","request":"ID"}"#,
            "09:32:12.896Z INFO     Request request=ID",
            "a\n09:32:12.896Z INFO     Request request=ID",
        ]
    )
    func `no value forges another member or line, and 'explain' reads it as it was`(value: String) throws {
        for format in LogFormat.allCases {
            var lines = LogLines(format)
            lines.begin(LogHead(.info, label: "understudy.access", message: "Request", LogStyle(format: format)))
            lines.add("field", text: value)
            lines.add("other", .string(value))
            lines.add("request", plain: "mine")
            lines.end()
            let record = LogRecord(Array(lines.bytes.bytes.dropLast()))
            #expect((record != nil) == (format == .json))
            if let record {
                #expect(record.fields.map(\.name) == ["field", "other", "request"])
                #expect(record["request"] == "mine" && record.message == "Request")
                #expect(record["field"] == value && record["other"] == value)
            } else {
                // Without the words in quotes, in which a backslash escapes a sign, the names of the members are left.
                let words = /'(?:[^'\\]|\\.)*'/.matchingSemantics(.unicodeScalar)
                let names = lines.text.replacing(words, with: "").matches(of: /\ (\w+)=/).map { String($0.1) }
                #expect(names == ["field", "other", "request"] && lines.text.hasSuffix(" request=mine\n"))
            }
        }
    }

    @Test func `a value of the access log looks as it does through swift-log`() {
        for (format, expected) in [
            (LogFormat.text, " a=login b='two words' c='' d=a\"b e=ab g=0123abcd h=200 i=0"),
            (.json, #","a":"login","b":"two words","c":"","d":"a\"b","e":"ab","g":"0123abcd","h":200,"i":0"#),
        ] {
            var lines = LogLines(format)
            lines.add("a", text: "login")
            lines.add("b", text: "two words")
            lines.add("c", text: "")
            lines.add("d", text: "a\"b")
            lines.add("e", plain: "ab")
            lines.add("g", hexadecimal: 0x0123_abcd)
            lines.add("h", number: 200)
            lines.add("i", number: 0)
            #expect(lines.text == expected)
        }
    }

    @Test(arguments: LogFormat.allCases)
    func `each character looks as it does through swift-log, wherever in a value it is`(format: LogFormat) {
        for size in [1, 7, 8, 9, 16, 17] {
            for position in 0..<size {
                for character in (UInt8.min...UInt8.max).map({ Unicode.Scalar($0) }) {
                    var scalars = Array(repeating: Unicode.Scalar(UInt8(ascii: "a")), count: size)
                    scalars[position] = character
                    let text = String(String.UnicodeScalarView(scalars))
                    var lines = LogLines(format)
                    var expected = LogLines(format)
                    lines.add("a", text: text)
                    expected.add("a", .string(text))
                    #expect(lines.text == expected.text)
                }
            }
        }
    }

    @Test(arguments: [0, 1, 12, 250, 999, 1000, 20_305_500] as [Int64])
    func `a duration is in milliseconds, as Swift describes the number`(microseconds: Int64) {
        var lines = LogLines(.text)
        lines.add("duration", microseconds: microseconds)
        #expect(lines.text == " duration=\(Double(microseconds) / 1000)")
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_782_400_001, "2000-02-29T00:00:00.001Z"), (4_102_444_800_010, "2100-01-01T00:00:00.010Z"),
    ])
    func `a time is in UTC, whatever the time before was`(milliseconds: Int64, expected: String) {
        var time = LogTime()
        for previous in [0, 951_782_399_999, milliseconds / 1000 * 1000 + 7, milliseconds + 1000] {
            time.set(.ms(previous))
            time.set(.ms(milliseconds))
            #expect(time.text(.json).text == expected)
            #expect(time.text(.text).text == String(expected.dropFirst(11)))
        }
    }
}

extension LogLines {
    /// The lines as text.
    fileprivate var text: String { bytes.bytes.text }
}
