struct OutputTests {
    static let values: [Value] = ["", "text", 1, 1.0, 1.5, true, .null, [], ["text"], [1, 2], ["text", 1], [:]]

    @Test(
        arguments: [
            (String.valueSchema, ["", "text"]), (Double.valueSchema, [1, 1.0, 1.5]), (Int.valueSchema, [1, 1.0]),
            (Bool.valueSchema, [true]), (Value.valueSchema, values), (String?.valueSchema, ["", "text", .null]),
            ([String].valueSchema, [[], ["text"]]), ([Value].valueSchema, [[], ["text"], [1, 2], ["text", 1]]),
            ([Int]?.valueSchema, [.null, [], [1, 2]]),
        ] as [(ValueSchema, [Value])]
    )
    func `an output shows the values of its type`(schema: ValueSchema, allowed: [Value]) {
        #expect(Self.values.filter { schema.accepts($0, .output) } == allowed)
    }

    struct Person: ObjectValue {
        let name: String, age: Int?

        static let object = ObjectSchema(Person.init(name:age:), Member("name", \.name), Member("age", \.age))
    }

    @Test func `an output of an object shows objects that have all its members`() {
        let complete: [Value] = [
            ["name": "Lisa", "age": 8], ["age": .null, "name": "Lisa"],
            ["name": "Lisa", "age": .null, "instrument": "saxophone"],
        ]
        let others: [Value] = [
            ["name": "Lisa"], ["name": .null, "age": 8], ["name": "Lisa", "age": "8"], [:], [], .null, "Lisa",
        ]
        #expect((complete + others).filter { Person.valueSchema.accepts($0, .output) } == complete)
        #expect((complete + others).filter { [Person].valueSchema.accepts([complete[0], $0], .output) } == complete)
    }

    @Test func `an output shows longer texts and lists than a field accepts`() {
        let text = Value.string("a".repeated(1025))
        let list = Value.array(Array(repeating: 1, count: 101))
        #expect(String.valueSchema.accepts(text, .output) && !String.valueSchema.accepts(text))
        #expect([Int].valueSchema.accepts(list, .output) && ![Int].valueSchema.accepts(list))
    }

    @Test func `a Swift type determines the schema of its output`() {
        #expect([Product].valueSchema.kind == .array(Product.valueSchema))
        #expect(Message?.valueSchema == String?.valueSchema)
        #expect([Double?]?.valueSchema.description == "list of number or null or null")
        let product = "object with name: string, description: string, image: string"
        #expect([Product].valueSchema.description == "list of " + product)
    }

    @Test func `what a Swift type shows is of its declared type`() {
        func check<Content: ScreenValue>(_ value: Content, _ expected: Value) {
            #expect(value.screenValue == expected)
            #expect(Content.valueSchema.accepts(value.screenValue, .output))
        }
        check("text", "text")
        check(true, true)
        check(1, 1)
        check(1.5, 1.5)
        check(String?.none, .null)
        check([1, nil] as [Int?], [1, .null])
        check(["a": 1] as Value, ["a": 1])
        check(Message.wrongCredentials, "Wrong username or password")
        check([.book] as [Product], [["name": "Book", "description": "", "image": "book"]])
    }

    @Test func `an output of a message shows the text and keeps the message`() {
        let output = Output<Message?>("message", description: "Why the login failed.")
        #expect(Command.render(output, .wrongCredentials) == .render("message", .wrongCredentials))
        #expect(Command.render(output, nil) == .render("message", .null))
        #expect(Command.render(Output<Message>("message"), .wrongCredentials).message == .wrongCredentials)
        #expect(Command.render(Output<[Message]>("list"), [.wrongCredentials]).message == nil)
    }
}
