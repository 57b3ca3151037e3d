@testable import Understudy

struct YAMLTests {
    @Test(
        arguments: AwkwardController.awkward + [
            "a\nb", "a\n b", " a\nb", "a \nb", "a\n\n\nb\n\n", "\ta", "a\u{0}b", "null",
        ]
    )
    func `A text in YAML is read back unchanged, as a name and as a value`(text: String) throws {
        var object: Value.Object = [:]
        object[text] = .string(text)
        #expect(try value(ofYAML: Value.object(object).yaml) == .object(object))
        #expect(try value(ofYAML: Value.array([.string(text)]).yaml) == [.string(text)])
    }

    static let values: [Value] = [
        nil, true, false, 0, -1, 9_007_199_254_740_993, 1.5, 1e300, [], [:], [[], [:], [[]]], ["a": ["b": [nil]]],
    ]

    @Test(arguments: values)
    func `A value in YAML is read back unchanged`(written: Value) throws {
        #expect(try value(ofYAML: written.yaml) == written)
    }

    @Test func `Objects and arrays are in block style, and few texts have quotes`() {
        let value: Value = ["a": ["plain", "yes", "12", "#"], "b": "two\nlines"]
        #expect(
            value.yaml == """
                a:
                - plain
                - 'yes'
                - '12'
                - '#'
                b: |-
                  two
                  lines

                """
        )
    }

    static let documents: [(String, YAMLNode?)] = [
        ("", nil), ("# a: b\n", nil), ("a:", .mapping([.init(name: "a", node: plain(""))])),
        (
            "{\"a\": [1, '2']}",
            .mapping([.init(name: "a", node: .sequence([plain("1"), .scalar("2", isPlain: false)]))])
        ),
        ("--- |\n  a\n  b\n", .scalar("a\nb\n", isPlain: false)),
        (
            "\u{FEFF}a: 1\r\nb: 2\r\n",
            .mapping([.init(name: "a", node: plain("1")), .init(name: "b", node: plain("2"))])
        ),
    ]

    static func plain(_ text: String) -> YAMLNode { .scalar(text, isPlain: true) }

    @Test(arguments: documents) func `a document is read, with the texts as written`(text: String, node: YAMLNode?)
        throws
    {
        #expect(try YAMLNode.read(text.bytes) == node)
    }

    static let faults: [(String, String)] = [
        ("a: b: c", "line 1, column 5: mapping values are not allowed in this context"),
        ("a: 1\nb: 2\na: 3\n", "line 3, column 1: 'a' is there more than once"),
        ("[a]: 1", "line 1, column 1: a name must be a text"),
        ("a\n---\nb\n", "line 2, column 1: it contains several documents"),
        ("&a [*a]", "line 1, column 5: anchors and aliases are not supported"),
        ("a: [1\n", "line 2, column 1: did not find expected ',' or ']'"),
        ("\u{1}", "control characters are not allowed"),
        ("[".repeated(100_000), "line 1, column 34: it is nested too deeply"),
    ]

    @Test(arguments: faults) func `a text that is not a document is an error with its place`(
        text: String,
        error: String
    ) {
        let thrown = #expect(throws: YAMLError.self) { try YAMLNode.read(text.bytes) }
        #expect(thrown?.description == error)
    }

    @Test func `bytes that are not UTF-8 are an error`() {
        let thrown = #expect(throws: YAMLError.self) { try YAMLNode.read([0x61, 0xFF]) }
        #expect(thrown?.line == 0)
    }
}
