struct ValueTests {
    static let oneOfEachKind: [Value] = [.null, true, false, 0, 1, 1.5, "", "1", "true", [], [1], [:], ["a": 1]]

    @Test func `values are equal exactly if their kinds and contents are`() {
        for (leftPlace, left) in Self.oneOfEachKind.enumerated() {
            for (rightPlace, right) in Self.oneOfEachKind.enumerated() {
                #expect((left == right) == (leftPlace == rightPlace), "\(left) == \(right)")
            }
        }
    }

    @Test func `texts are equal only if their bytes are, also in lists and objects`() {
        let forms: [Value] = ["\u{E9}", "e\u{301}"]
        #expect(forms[0] != forms[1])
        #expect(Value.array([forms[0]]) != [forms[1]])
        #expect(Value.object(["name": forms[0]]) != ["name": forms[1]])
    }

    @Test func `literals create values of the matching kind`() {
        let text = "bat"
        #expect(
            [nil, true, 7, 1.5, "batman", "\(text)man", [1, "a"], ["name": "batman"]] as Value
                == .array([
                    .null, .boolean(true), .number(.integer(7)), .number(.double(1.5)), .string("batman"),
                    .string("batman"), .array([.number(.integer(1)), .string("a")]),
                    .object(["name": .string("batman")]),
                ])
        )
    }

    @Test func `a value can be created from an Int, a Double or an optional text`() {
        #expect([Value("batman" as String?), Value(String?.none)] == [.string("batman"), .null])
        let (integer, double) = (7, 7.0)
        #expect(Value(integer) == .number(.integer(7)))
        #expect(Value(double) == .number(.double(7)))
        #expect([Value(integer), Value(double), 1.5].map(\.double) == [7, 7, 1.5])
    }

    /// `JSONWriterTests` compare the descriptions of random values with their JSON.
    @Test func `a value's description is its JSON, also in a debugger`() {
        let object: Value.Object = ["z": 1, "a": [nil], "\u{7F}": "\u{1F}"]
        for text in ["\(object)", "\(Value.object(object))", String(reflecting: Value.object(object))] {
            #expect(text == #"{"z":1,"a":[null],"\#u{7F}":"\u001f"}"#)
        }
        #expect("\([.number(.double(.nan)), .number(.double(-.infinity))] as Value)" == "[nan,-inf]")
    }

    @Test func `a value's accessors return nil for another kind`() {
        let contents = Self.oneOfEachKind.map { value in
            [
                value.string.map { "string \($0)" },
                value.boolean.map { "boolean \($0)" },
                value.integer.map { "integer \($0)" },
                value.double.map { "double \($0)" },
                value.array.map { "array of \($0.count)" },
                value.object.map { "object of \($0.count)" },
            ].compactMap(\.self)
        }
        #expect(
            contents == [
                [], ["boolean true"], ["boolean false"], ["integer 0", "double 0.0"],
                ["integer 1", "double 1.0"], ["double 1.5"], ["string "], ["string 1"],
                ["string true"], ["array of 0"], ["array of 1"], ["object of 0"], ["object of 1"],
            ]
        )
    }

    @Test(
        arguments: [
            ["a": 1], ["a": 1, "b": 3], ["a": 1, "c": 2], ["a": 1, "b": 2, "c": 3], ["a": 1, "b": .null], [:],
        ] as [Value.Object]
    )
    func `objects with other members are not equal`(other: Value.Object) {
        let object: Value.Object = ["a": 1, "b": 2]
        #expect(object != other)
        #expect(other != object)
    }

    @Test func `an object keeps its members in the order in which they were first given, with their last values`() {
        var object: Value.Object = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        object.append("d", 5)
        #expect(object.map(\.name) == ["b", "a", "c", "d"])
        #expect(object.map(\.value) == [4, 2, 3, 5])
        let literal: Value.Object = ["a": 1, "b": 2, "a": 3]
        #expect(literal.map(\.name) == ["a", "b"])
        #expect(literal == ["a": 3, "b": 2])
    }

    @Test func `setting a member to nil removes it, and setting it to null does not`() {
        var object: Value.Object = ["a": 1, "b": 2]
        object["a"] = .none
        object["b"] = .some(.null)
        object["c"] = .none
        #expect(object == ["b": .null])
        #expect(object.count == 1)
    }
}
