import BusinessLogic
import Testing

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
            (Field<Bool>("field", whenAbsent: false).declaration, [true]),
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
            .number(.integer(.max)), .number(.integer(.min)), 9_007_199_254_740_992.0, -9_223_372_036_854_775_808.0,
            -0.0,
        ] as [Value]
    )
    func `an integer field accepts all numbers of 64 bits without a fraction`(value: Value) {
        #expect(Field<Int>("field").declaration.accepts(value))
        #expect(Int(fieldValue: value) != nil)
    }

    @Test(
        arguments: [9_223_372_036_854_775_808.0, -1e300, 0.5, .number(.double(.infinity)), .number(.double(.nan))]
            as [Value]
    )
    func `an integer field rejects fractions and numbers of more than 64 bits`(value: Value) {
        #expect(!Field<Int>("field").declaration.accepts(value))
        #expect(Int(fieldValue: value) == nil)
    }

    @Test func `a declared type receives the value, whichever number JSON contains`() {
        #expect(Int(fieldValue: 1.0) == 1)
        #expect(Double(fieldValue: 3) == 3)
        #expect(String(fieldValue: "text") == "text")
        #expect(Bool(fieldValue: false) == false)
        #expect(Int?(fieldValue: .null) == .some(.none))
        #expect(Int?(fieldValue: 1.0) == 1)
        #expect(Int?(fieldValue: "1") == Int??.none)
        #expect(PhoneNumber(fieldValue: "+49 30 123456")?.digits == "4930123456")
    }

    @Test func `a value is unchanged after its conversion for the screen and back`() {
        func convert<Content: FieldValue & Equatable>(_ value: Content) {
            #expect(Content(fieldValue: value.fieldValue) == value)
        }
        convert("text")
        convert(true)
        convert(Int.max)
        convert(0.1)
        convert(String?.none)
        convert(Rating?.some(.five))
        convert(Rating.two)
        #expect(PhoneNumber(fieldValue: "+49 30")?.fieldValue == "+4930")
    }

    @Test func `a field is a required text and not secret by default`() {
        let field = Field<String>("username")
        #expect(field.name == "username")
        #expect(field.declaration.name == "username")
        #expect(field.declaration.kind == .string)
        #expect(field.declaration.format == nil)
        #expect(field.declaration.example == "text")
        #expect(!field.declaration.isOptional)
        #expect(!field.declaration.isSecret)
        #expect(field.declaration.description == nil)
        #expect(field.declaration.whenAbsent == nil)
    }

    @Test func `a field declares its secrecy, description and value if it is absent`() {
        let field = Field<Int?>("age", isSecret: true, maximumLength: 3, description: "The age.", whenAbsent: nil)
        #expect(field.declaration.kind == .integer)
        #expect(field.declaration.isOptional)
        #expect(field.declaration.isSecret)
        #expect(field.declaration.maximumLength == 3)
        #expect(field.declaration.description == "The age.")
        #expect(field.declaration.whenAbsent == .some(.null))
        #expect(Field<Bool>("newsletter", whenAbsent: false).declaration.whenAbsent == false)
    }

    @Test func `the example of a short field is not too long`() {
        #expect(Field<String>("cvc", maximumLength: 3).declaration.example == "tex")
        #expect(Field<PhoneNumber>("phone", maximumLength: 3).declaration.example == "+49 30 123456")
    }

    @Test func `a field of your own type has the type's kind, format, example and length`() {
        let phone = Field<PhoneNumber>("phone").declaration
        #expect(phone.expected == ExpectedValue(.string, format: "phone", example: "+49 30 123456"))
        #expect(phone.maximumLength == 32)
        #expect(Field<PhoneNumber>("phone", maximumLength: 64).declaration.maximumLength == 64)
        #expect(Field<PhoneNumber?>("phone").declaration.expected == phone.expected)
        #expect(Field<PhoneNumber?>("phone").declaration.maximumLength == 32)
        #expect(Field<Rating>("rating").declaration.expected == ExpectedValue(.integer, example: 1))
    }

    @Test func `a field of your own type accepts only the values that the type accepts`() {
        let phone = Field<PhoneNumber>("phone").declaration
        #expect(phone.accepts("+49 30 123456"))
        #expect(!phone.accepts("030 123456"))
        #expect(!phone.accepts(.null))
        #expect(Field<PhoneNumber?>("phone").declaration.accepts(.null))
        #expect(!Field<PhoneNumber?>("phone").declaration.accepts("030 123456"))
        let rating = Field<Rating>("rating").declaration
        #expect((0...6).filter { rating.accepts(Value($0)) } == [1, 2, 3, 4, 5])
    }

    @Test func `fields with different types or properties differ`() {
        let field = Field<String>("note").declaration
        #expect(field == Field<String>("note").declaration)
        let others = [
            Field<String>("name").declaration, Field<String?>("note").declaration,
            Field<PhoneNumber>("note", maximumLength: 1024).declaration,
            Field<String>("note", isSecret: true).declaration, Field<String>("note", maximumLength: 1).declaration,
            Field<String>("note", description: "A note.").declaration,
            Field<String>("note", whenAbsent: "").declaration,
        ]
        #expect(others.allSatisfy { $0 != field })
    }

    // MARK: Two events that read the same field

    @Test func `the union of two fields accepts the values of both`() {
        let required = Field<String>("note", maximumLength: 8, description: "A note.").declaration
        let optional = Field<String?>("note", isSecret: true, maximumLength: 16, whenAbsent: nil).declaration
        for union in [required.union(optional), optional.union(required)] {
            #expect(union.isOptional)
            #expect(union.isSecret)
            #expect(union.maximumLength == 16)
            #expect(union.description == "A note.")
            #expect(union.whenAbsent == .some(.null))
            #expect(Self.values.filter(union.accepts) == ["", "text", .null])
        }
        #expect(required.union(required) == required)
    }

    @Test func `the union of two types accepts all values of their kind and has no format`() {
        let phone = Field<PhoneNumber>("contact").declaration
        let text = Field<String>("contact").declaration
        for union in [phone.union(text), text.union(phone)] {
            #expect(union.accepts("030 123456"))
            #expect(!union.accepts(1))
            #expect(union.format == nil)
            #expect(union.maximumLength == 1024)
        }
        #expect(phone.union(phone).format == "phone")
        #expect(!phone.union(phone).accepts("030 123456"))
    }

    // MARK: Forms

    @Test(
        arguments: [
            (.boolean, "on", true), (.boolean, "true", true), (.boolean, "false", false), (.boolean, "off", nil),
            (.boolean, "", nil), (.boolean, "1", nil), (.boolean, "True", nil),
            (.integer, "12", 12), (.integer, "-12", -12), (.integer, "12.0", 12.0), (.integer, "12.5", nil),
            (.integer, "", nil), (.integer, "+49", nil), (.integer, "012", nil), (.integer, "1 2", nil),
            (.integer, "null", nil), (.integer, "\"12\"", nil), (.integer, "9223372036854775808", nil),
            (.number, "12", 12), (.number, "12.5", 12.5), (.number, "1e3", 1000.0), (.number, "NaN", nil),
            (.number, "true", nil), (.string, "", ""), (.string, "on", "on"), (.string, "12", "12"),
        ] as [(FieldKind, String, Value?)]
    )
    func `a form's text becomes a value of the field's kind, and a ticked box is true`(
        kind: FieldKind,
        text: String,
        value: Value?
    ) {
        #expect(kind.value(ofText: text) == value)
    }

    @Test func `every kind has an example and a replacement for erased values, which a field accepts`() {
        let fields = [
            Field<String>("a").declaration, Field<Double>("b").declaration, Field<Int>("c").declaration,
            Field<Bool>("d").declaration,
        ]
        #expect(fields.map(\.kind) == FieldKind.allCases)
        for field in fields {
            #expect(field.accepts(field.example))
            #expect(field.accepts(field.kind.erasedValue))
        }
    }
}
