import Foundation

struct ValueCodableTests {
    @Test(
        arguments: [
            .null, true, false, 0, 1, -1, 9_007_199_254_740_993, -9_007_199_254_740_993, .number(.integer(.max)),
            .number(.integer(.min)), 1.5, -0.25, 1e300, 5e-300, "", "batman", "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}",
            "Zoë 🦇", "9007199254740993", [], [.null, [[], [:]]], [:],
            ["": ["a": [1, 2.5, "three", true, .null]], "b": .null],
        ] as [Value]
    )
    func `a value is unchanged after encoding and decoding`(value: Value) throws {
        #expect(try throughJSON(value) == value)
        #expect(try throughJSON([value]) == [value])
        #expect(try throughJSON(["member": value]) == ["member": value])
    }

    @Test(
        arguments: [
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .number(.integer(.max))),
            ("-9223372036854775808", .number(.integer(.min))), ("9223372036854775808", 9.223372036854775808e18),
            ("1", 1), ("0", 0), ("1.0", 1), ("1e0", 1),
            ("10e-1", 1), ("true", true), ("false", false), ("1.5", 1.5), ("\"1\"", "1"), ("null", .null),
        ] as [(String, Value)]
    )
    func `each kind of JSON value is decoded as that kind`(json: String, value: Value) throws {
        #expect(try decoded(Value.self, from: json) == value)
    }

    @Test func `a value is encoded as plain JSON`() throws {
        let value: Value = ["array": [.null, true, 1, 1.5, "text"], "empty": [:]]
        #expect(try json(value) == #"{"array":[null,true,1,1.5,"text"],"empty":{}}"#)
    }

    @Test func `an object is encoded and decoded like a value`() throws {
        let object: Value.Object = ["name": "batman", "alias": .null, "age": 30]
        #expect(try throughJSON(object) == object)
        #expect(try json(object) == #"{"age":30,"alias":null,"name":"batman"}"#)
    }

    @Test(arguments: ["[]", "1", "null", #""object""#])
    func `decoding an object from another kind fails`(json: String) {
        #expect(throws: DecodingError.self) { try decoded(Value.Object.self, from: json) }
    }
}
