struct FieldTests {
    static let values: [Value] = ["", "text", 1, 1.0, 1.5, true, .null, [], ["text"], [:], ["a": 1]]

    /// A field of a type, without anything else.
    static func of<Content: ScreenValue>(_ type: Content.Type) -> FieldDeclaration {
        Field<Content>("field").declaration
    }

    @Test(
        arguments: [
            (of(String.self), ["", "text"]), (of(Double.self), [1, 1.0, 1.5]), (of(Int.self), [1, 1.0]),
            (of(Bool.self), [true]), (of(String?.self), ["", "text", .null]), (of(Double?.self), [1, 1.0, 1.5, .null]),
            (of(Int?.self), [1, 1.0, .null]), (of(Bool?.self), [true, .null]), (of(Rating.self), [1, 1.0]),
            (of(Rating?.self), [1, 1.0, .null]), (Field<String>("field", isSecret: true).declaration, ["", "text"]),
            (Field<Bool>("field").whenAbsent(false).declaration, [true]),
        ] as [(FieldDeclaration, [Value])]
    )
    func `a field accepts the values of its type, and null if the type is optional`(
        field: FieldDeclaration,
        accepted: [Value]
    ) {
        #expect(Self.values.filter(field.accepts) == accepted)
    }

    @Test func `an integer field accepts exactly the integers of 64 bits`() {
        let valid: [Value] = [
            .number(.integer(.max)), .number(.integer(.min)), 9_007_199_254_740_992.0, -9_223_372_036_854_775_808.0,
            -0.0,
        ]
        let others: [Value] = [
            9_223_372_036_854_775_808.0, -1e300, 0.5, .number(.double(.infinity)), .number(.double(.nan)),
        ]
        #expect((valid + others).filter(Self.of(Int.self).accepts) == valid)
        #expect((valid + others).filter { Int(screenValue: $0) != nil } == valid)
    }

    @Test func `a declared type receives the value, whichever number JSON contains`() {
        #expect(Int(screenValue: 1.0) == 1)
        #expect(Double(screenValue: 3) == 3)
        #expect(String(screenValue: "text") == "text")
        #expect(Bool(screenValue: false) == false)
        #expect(Int?(screenValue: .null) == .some(.none))
        #expect(Int?(screenValue: 1.0) == 1)
        #expect(Int?(screenValue: "1") == Int??.none)
        #expect(PhoneNumber(screenValue: "+49 30 123456")?.digits == "4930123456")
    }

    @Test func `a value is unchanged after its conversion for the screen and back`() {
        func convert<Content: ScreenValue & Equatable>(_ value: Content) {
            #expect(Content(screenValue: value.screenValue) == value)
        }
        convert("text")
        convert(true)
        convert(Int.max)
        convert(0.1)
        convert(String?.none)
        convert(Rating?.some(.five))
        convert(Rating.two)
        #expect(PhoneNumber(screenValue: "+49 30")?.screenValue == "+4930")
    }

    @Test func `a field declares its secrecy, description and value if it is absent`() {
        let field = Field<Int?>("age", isSecret: true, in: 0...120, description: "The age.").whenAbsent(nil).declaration
        #expect(field.schema.kind == .integer && field.schema.isOptional && field.isSecret)
        #expect((-1...121).filter { field.accepts(Value($0)) } == Array(0...120))
        #expect(field.description == "The age.")
        #expect(field.whenAbsent == .some(.null))
        #expect(Field<Bool>("newsletter").whenAbsent(false).declaration.whenAbsent == false)
    }

    @Test func `a field of your own type has the type's kind, format, example and length`() {
        let expected = ExpectedValue(.string, format: "phone", example: "+49 30 123456")
        for (field, maximum) in [
            (Self.of(PhoneNumber.self), 32), (Self.of(PhoneNumber?.self), 32),
            (Field<PhoneNumber>("phone", maximumLength: 64).declaration, 64),
        ] {
            #expect(field.schema.expected == expected)
            #expect(field.schema.maximumLength(.input) == maximum)
        }
        #expect(Self.of(Rating.self).schema.expected == ExpectedValue(.integer, example: 1))
    }

    @Test func `a field of your own type accepts the type's values`() {
        let values: [Value] = ["+49 30 123456", "030 123456", .null]
        #expect(values.filter(Self.of(PhoneNumber.self).accepts) == ["+49 30 123456"])
        #expect(values.filter(Self.of(PhoneNumber?.self).accepts) == ["+49 30 123456", .null])
        #expect((0...6).filter { Self.of(Rating.self).accepts(Value($0)) } == [1, 2, 3, 4, 5])
    }

    @Test func `a field of your own type may be null if its schema is optional`() {
        struct Nickname: ScreenValue {
            static let valueSchema = ValueSchema.string(maximumLength: 8).optional
            let screenValue: Value
            init?(screenValue: Value) {
                guard screenValue != "" else { return nil }
                self.screenValue = screenValue
            }
        }
        let field = Field<Nickname>("nickname").declaration
        #expect((["", "Bart", "El Barto!", .null, 1] as [Value]).filter(field.accepts) == ["Bart", .null])
    }

    @Test func `fields with different types or properties differ`() {
        let field = Field<String>("note").declaration
        #expect(field == Field<String>("note").declaration)
        let others = [
            Field<String>("name").declaration, Field<String?>("note").declaration,
            Field<PhoneNumber>("note", maximumLength: 1024).declaration,
            Field<String>("note", isSecret: true).declaration, Field<String>("note", maximumLength: 1).declaration,
            Field<String>("note", description: "A note.").declaration, Field<String>("note").whenAbsent("").declaration,
        ]
        #expect(others.allSatisfy { $0 != field })
    }

    // MARK: Two events that read the same field

    @Test func `the union of two fields accepts the values of both`() throws {
        let required = Field<String>("note", maximumLength: 8, description: "A note.").declaration
        let optional = Field<String?>("note", isSecret: true, maximumLength: 16).whenAbsent(nil).declaration
        for union in [try #require(required.union(optional)), try #require(optional.union(required))] {
            #expect(union.schema.isOptional)
            #expect(union.isSecret)
            #expect(union.schema.maximumLength(.input) == 16)
            #expect(union.description == "A note.")
            #expect(union.whenAbsent == .some(.null))
            #expect(Self.values.filter(union.accepts) == ["", "text", .null])
        }
        #expect(required.union(required) == required)
    }

    @Test func `the union of two types accepts all values of their kind and has no format`() throws {
        let phone = Field<PhoneNumber>("contact").declaration
        let text = Field<String>("contact").declaration
        for union in [try #require(phone.union(text)), try #require(text.union(phone))] {
            #expect(union.accepts("030 123456"))
            #expect(!union.accepts(1))
            #expect(union.schema.format == nil)
            #expect(union.schema.maximumLength(.input) == 1024)
        }
        #expect(phone.union(phone)?.schema.format == "phone")
        #expect(phone.union(phone)?.accepts("030 123456") == false)
    }

    @Test func `the union of two ranges contains both, and two kinds have no union`() throws {
        let few = Field<Int>("count", in: 2...5).declaration
        let union = try #require(few.union(Field<Int>("count", in: 1...3).declaration))
        #expect((0...6).filter { union.accepts(Value($0)) } == [1, 2, 3, 4, 5])
        #expect(few.union(Field<Int>("count").declaration)?.accepts(1000) == true)
        #expect(few.union(Field<String>("count").declaration) == nil)
        #expect(Field<[Int]>("list").declaration.union(Field<[String]>("list").declaration) == nil)
    }

    // MARK: Forms

    @Test(
        arguments: [
            (
                .boolean, [("on", true), ("true", true), ("false", false)],
                ["off", "", "1", "True", "On", "yes", "null", " true"]
            ),
            (
                .integer(), [("12", 12), ("-12", -12), ("12.0", 12.0)],
                ["12.5", "", "+49", "012", "1 2", "null", "\"12\"", "9223372036854775808"]
            ),
            (
                .number(),
                [
                    ("12", 12), ("-7", -7), ("12.5", 12.5), ("1e3", 1000.0),
                    ("9223372036854775807", .number(.integer(.max))),
                ], ["NaN", "true", "", "x", "1x", "01", "+1", "1e400", "\"1\"", "null", "0x10", "1,5"]
            ),
            (.string(), [("", ""), ("on", "on"), ("12", "12")], []),
        ] as [(ValueSchema, [(String, Value)], [String])]
    )
    func `a form's text becomes a value of the field's kind`(
        schema: ValueSchema,
        valid: [(text: String, value: Value)],
        invalid: [String]
    ) {
        func read(_ text: String) -> Value? {
            guard let value = schema.value(ofText: text), schema.accepts(value) else { return Value?.none }
            return value
        }
        for (text, value) in valid { #expect(read(text) == value, "\(text)") }
        for text in invalid { #expect(read(text) == nil, "\(text)") }
    }

    @Test func `every kind has an example, which is not too long, and a replacement that a field accepts`() {
        let fields = [Self.of(String.self), Self.of(Double.self), Self.of(Int.self), Self.of(Bool.self)]
        #expect(fields.map(\.schema.jsonType) == [.string, .number, .integer, .boolean])
        for field in fields {
            #expect(field.accepts(field.schema.example))
            #expect(field.accepts(field.erasedValue))
        }
        #expect(Field<String>("cvc", maximumLength: 3).declaration.schema.example == "tex")
        #expect(Field<PhoneNumber>("phone", maximumLength: 3).declaration.schema.example == "+49 30 123456")
    }
}
