import BusinessLogic
import TestSupport
import Testing

@testable import UnderstudyOpenAPI
import UnderstudyOpenAPI
import UnderstudyPages
import UnderstudySessions

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

    private static let values: [Value] = [
        nil, true, false, 0, -1, 9_007_199_254_740_993, 1.5, 1e300, [], [:], [[], [:], [[]]], ["a": ["b": [nil]]],
    ]

    @Test(arguments: values)
    func `A value in YAML is read back unchanged`(written: Value) throws {
        #expect(try value(ofYAML: written.yaml) == written)
    }

    @Test func `Objects and arrays are in block style, and unambiguous texts have no quotes`() {
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
}
