import BusinessLogic
import Testing
import TestSupport

@Suite struct FieldTests {
    private static let values: [Value] = ["", "text", 1, 1.5, true, .null, [], ["text"], [:], ["a": 1]]

    @Test(
        arguments: [
            (Field("field"), ["", "text"]),
            (Field("field", .number), [1, 1.5]),
            (Field("field", .boolean), [true]),
            (Field("field", isOptional: true), ["", "text", .null]),
            (Field("field", .number, isOptional: true), [1, 1.5, .null]),
            (Field("field", .boolean, isOptional: true), [true, .null]),
            (Field("field", isSecret: true), ["", "text"]),
        ] as [(Field, [Value])]
    )
    func `a field accepts the values of its kind, and null if it is optional`(field: Field, accepted: [Value]) {
        #expect(Self.values.filter(field.accepts) == accepted)
    }

    @Test func `a field is a required text and not secret by default`() {
        let field: Field = "username"
        #expect(field == Field("username", .string, isOptional: false, isSecret: false))
    }

    @Test func `the short forms create optional and secret fields`() {
        #expect(Field.secret("password") == Field("password", isSecret: true))
        #expect(Field.optional("name") == Field("name", isOptional: true))
        #expect(
            Field("age", .number, isOptional: true).secret == Field("age", .number, isOptional: true, isSecret: true)
        )
    }

    @Test func `a field is unchanged after encoding and decoding`() throws {
        let field = Field("age", .number, isOptional: true, isSecret: true)
        #expect(try throughJSON(field) == field)
    }
}
