import BundledControllers
import BusinessLogic
import Testing

@Suite struct OutputTests {
    private static let values: [Value] = [
        "", "text", 1, 1.0, 1.5, true, .null, [], ["text"], [1, 2], ["text", 1], [:],
    ]

    @Test(
        arguments: [
            (.string, ["", "text"]), (.number, [1, 1.0, 1.5]), (.integer, [1]), (.boolean, [true]), (.any, values),
            (.optional(.string), ["", "text", .null]), (.array(.string), [[], ["text"]]),
            (.array(.any), [[], ["text"], [1, 2], ["text", 1]]), (.optional(.array(.integer)), [.null, [], [1, 2]]),
            (.object([]), [[:]]),
        ] as [(OutputType, [Value])]
    )
    func `a type accepts its values`(type: OutputType, accepted: [Value]) {
        #expect(Self.values.filter(type.accepts) == accepted)
    }

    private static let person = OutputType.object([
        OutputType.Member("name", .string), OutputType.Member("age", .optional(.integer)),
    ])

    @Test(
        arguments: [
            (["name": "Lisa", "age": 8], true), (["age": .null, "name": "Lisa"], true),
            (["name": "Lisa", "age": .null, "instrument": "saxophone"], true),
            (["name": "Lisa"], false), (["name": .null, "age": 8], false), (["name": "Lisa", "age": "8"], false),
            ([:], false), ([], false), (.null, false), ("Lisa", false),
        ] as [(Value, Bool)]
    )
    func `an object type accepts objects that have all its members`(value: Value, isAccepted: Bool) {
        #expect(Self.person.accepts(value) == isAccepted)
        let list = OutputType.array(Self.person)
        #expect(list.accepts([["name": "Bart", "age": 10], value]) == isAccepted)
        #expect(OutputType.object([.init("people", list)]).accepts(["people": [value]]) == isAccepted)
    }

    @Test func `a Swift type determines the type of its output`() {
        #expect(String.outputType == .string)
        #expect(Bool?.outputType == .optional(.boolean))
        #expect([Int].outputType == .array(.integer))
        #expect([Double?]?.outputType == .optional(.array(.optional(.number))))
        #expect(Message?.outputType == .optional(.string))
        #expect(Value.outputType == .any)
        #expect([Product].outputType == .array(Product.outputType))
        #expect(
            [Product].outputType.description == "list of object with name: string, description: string, image: string"
        )
    }

    @Test func `what a Swift type shows is of its declared type`() {
        func check<Content: OutputValue>(_ value: Content, _ expected: Value) {
            #expect(value.outputValue == expected)
            #expect(Content.outputType.accepts(value.outputValue))
        }
        check("text", "text")
        check(true, true)
        check(1, 1)
        check(1.5, 1.5)
        check(String?.none, .null)
        check([1, nil] as [Int?], [1, .null])
        check(["a": 1] as Value, ["a": 1])
        check(Message.wrongCredentials, "Wrong username or password")
        check(
            [Product(name: "Car", description: "", image: "car")],
            [["name": "Car", "description": "", "image": "car"]]
        )
    }

    @Test func `an output of a message shows the text and keeps the message`() {
        let output = Output<Message?>("message", description: "Why the login failed.")
        #expect(Command.render(output, .wrongCredentials) == .render("message", .wrongCredentials))
        #expect(Command.render(output, nil) == .render("message", .null))
        #expect(Command.render(Output<Message>("message"), .wrongCredentials).message == .wrongCredentials)
        #expect(Command.render(Output<[Message]>("list"), [.wrongCredentials]).message == nil)
    }

    @Test func `a screen shows values, messages and destinations like the commands say`() {
        let recorder = ResponseRecorder()
        let screen: any Controllable = recorder
        screen.render(Output<Int?>("count"), 3)
        screen.render(Output<Int?>("count"), nil)
        screen.render(Output<Message>("message"), .wrongCredentials)
        screen.goToPage(.product, "Car")
        screen.goToPage(.home)
        #expect(
            recorder.commands == [
                .render("count", 3), .render("count", .null), .render("message", .wrongCredentials),
                .goToPage("ProductDetail", ["product": "Car"]), .goToPage("Home"),
            ]
        )
    }
}
