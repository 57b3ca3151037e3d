import TestSupport

@Suite struct FieldTests {
    private static let values: [Value] = ["", "text", 1, 1.0, 1.5, true, .null, [], ["text"], [:], ["a": 1]]

    @Test(
        arguments: [
            (Field<String>("field").declaration, ["", "text"]),
            (Field<Double>("field").declaration, [1, 1.0, 1.5]),
            (Field<Int>("field").declaration, [1, 1.0]),
            (Field<Bool>("field").declaration, [true]),
            (Field<String?>("field").declaration, ["", "text", .null]),
            (Field<Double?>("field").declaration, [1, 1.0, 1.5, .null]),
            (Field<Int?>("field").declaration, [1, 1.0, .null]),
            (Field<Bool?>("field").declaration, [true, .null]),
            (Field<String>("field", isSecret: true).declaration, ["", "text"]),
            (Field<Bool>("field").whenAbsent(false).declaration, [true]),
            (Field<Rating>("field").declaration, [1, 1.0]),
            (Field<Rating?>("field").declaration, [1, 1.0, .null]),
        ] as [(FieldDeclaration, [Value])]
    )
    func `a field accepts the values of its type, and null if the type is optional`(
        field: FieldDeclaration,
        accepted: [Value]
    ) {
        #expect(Self.values.filter(field.accepts) == accepted)
    }

    @Test(
        arguments: [
            (.number(.integer(.max)), true), (.number(.integer(.min)), true), (9_007_199_254_740_992.0, true),
            (-9_223_372_036_854_775_808.0, true), (-0.0, true), (9_223_372_036_854_775_808.0, false), (-1e300, false),
            (0.5, false), (.number(.double(.infinity)), false), (.number(.double(.nan)), false),
        ] as [(Value, Bool)]
    )
    func `an integer field accepts all numbers of 64 bits without a fraction, and no others`(
        value: Value,
        isValid: Bool
    ) {
        #expect(Field<Int>("field").declaration.accepts(value) == isValid)
        #expect((Int(screenValue: value) != nil) == isValid)
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

    @Test func `a field is a required text and not secret by default`() {
        let field = Field<String>("username").declaration
        #expect(field.name == "username" && !field.isSecret)
        #expect(field.schema.kind == .string && field.schema.format == nil && !field.schema.isOptional)
        #expect(field.schema.example == "text")
        #expect(field.description == nil && field.whenAbsent == nil)
    }

    @Test func `a field declares its secrecy, description and value if it is absent`() {
        let field = Field<Int?>("age", isSecret: true, in: 0...120, description: "The age.").whenAbsent(nil).declaration
        #expect(field.schema.kind == .integer && field.schema.isOptional && field.isSecret)
        #expect((-1...121).filter { field.accepts(Value($0)) } == Array(0...120))
        #expect(field.description == "The age.")
        #expect(field.whenAbsent == .some(.null))
        #expect(Field<Bool>("newsletter").whenAbsent(false).declaration.whenAbsent == false)
    }

    @Test func `the example of a short field is not too long`() {
        #expect(Field<String>("cvc", maximumLength: 3).declaration.schema.example == "tex")
        #expect(Field<PhoneNumber>("phone", maximumLength: 3).declaration.schema.example == "+49 30 123456")
    }

    @Test func `a field of your own type has the type's kind, format, example and length`() {
        let expected = ExpectedValue(.string, format: "phone", example: "+49 30 123456")
        for (field, maximum) in [
            (Field<PhoneNumber>("phone").declaration, 32), (Field<PhoneNumber?>("phone").declaration, 32),
            (Field<PhoneNumber>("phone", maximumLength: 64).declaration, 64),
        ] {
            #expect(field.schema.expected == expected)
            #expect(field.schema.maximumLength(.input) == maximum)
        }
        #expect(Field<Rating>("rating").declaration.schema.expected == ExpectedValue(.integer, example: 1))
    }

    @Test func `a field of your own type accepts only the values that the type accepts`() {
        let values: [Value] = ["+49 30 123456", "030 123456", .null]
        #expect(values.filter(Field<PhoneNumber>("phone").declaration.accepts) == ["+49 30 123456"])
        #expect(values.filter(Field<PhoneNumber?>("phone").declaration.accepts) == ["+49 30 123456", .null])
        let rating = Field<Rating>("rating").declaration
        #expect((0...6).filter { rating.accepts(Value($0)) } == [1, 2, 3, 4, 5])
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
            Field<String>("note", description: "A note.").declaration,
            Field<String>("note").whenAbsent("").declaration,
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

    @Test func `the union of two ranges and of two choices is the larger one, and two kinds have no union`() throws {
        let few = Field<Int>("count", in: 2...5).declaration
        let many = Field<Int>("count", in: 1...3).declaration
        let union = try #require(few.union(many))
        #expect((0...6).filter { union.accepts(Value($0)) } == [1, 2, 3, 4, 5])
        #expect(few.union(Field<Int>("count").declaration)?.accepts(1000) == true)
        #expect(few.union(Field<String>("count").declaration) == nil)
        #expect(Field<[Int]>("list").declaration.union(Field<[String]>("list").declaration) == nil)
    }

    // MARK: Forms

    @Test(
        arguments: [
            (.boolean, "on", true), (.boolean, "true", true), (.boolean, "false", false), (.boolean, "off", nil),
            (.boolean, "", nil), (.boolean, "1", nil), (.boolean, "True", nil),
            (.integer(), "12", 12), (.integer(), "-12", -12), (.integer(), "12.0", 12.0), (.integer(), "12.5", nil),
            (.integer(), "", nil), (.integer(), "+49", nil), (.integer(), "012", nil), (.integer(), "1 2", nil),
            (.integer(), "null", nil), (.integer(), "\"12\"", nil), (.integer(), "9223372036854775808", nil),
            (.number(), "12", 12), (.number(), "-7", -7), (.number(), "12.5", 12.5), (.number(), "1e3", 1000.0),
            (.number(), "9223372036854775807", .number(.integer(.max))), (.number(), "NaN", nil),
            (.number(), "true", nil), (.number(), "", nil), (.number(), "x", nil), (.number(), "1x", nil),
            (.number(), "01", nil), (.number(), "+1", nil), (.number(), "1e400", nil), (.number(), "\"1\"", nil),
            (.number(), "null", nil), (.number(), "0x10", nil), (.number(), "1,5", nil), (.boolean, "On", nil),
            (.boolean, "yes", nil), (.boolean, "null", nil), (.boolean, " true", nil), (.string(), "", ""),
            (.string(), "on", "on"), (.string(), "12", "12"),
        ] as [(ValueSchema, String, Value?)]
    )
    func `a form's text becomes a value of the field's kind, and a ticked box is true`(
        schema: ValueSchema,
        text: String,
        value: Value?
    ) {
        let accepted = schema.value(ofText: text).map { [$0] }?.filter { schema.accepts($0) } ?? []
        #expect(accepted == value.map { [$0] } ?? [])
    }

    @Test func `every kind has an example and a replacement for erased values, which a field accepts`() {
        let fields = [
            Field<String>("a").declaration, Field<Double>("b").declaration, Field<Int>("c").declaration,
            Field<Bool>("d").declaration,
        ]
        #expect(fields.map(\.schema.jsonType) == [.string, .number, .integer, .boolean])
        for field in fields {
            #expect(field.accepts(field.schema.example))
            #expect(field.accepts(field.erasedValue))
        }
    }
}
