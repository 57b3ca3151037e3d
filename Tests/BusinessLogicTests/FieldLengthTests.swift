/// Marks that combine with the character before: comparing or normalising many of them takes quadratic time.
private let mark = "\u{301}"

struct FieldLengthTests {
    @Test func `a text field has at most 1,024 code points unless it declares another maximum`() {
        func maximum(_ field: FieldDeclaration) -> Int { field.schema.maximumLength(.input) }
        #expect(maximum(Field<String>("note").declaration) == 1024)
        #expect(maximum(Field<String>("pin", isSecret: true, maximumLength: 4).declaration) == 4)
        #expect(maximum(Field<String?>("note", isSecret: true, maximumLength: 8).declaration) == 8)
    }

    @Test(arguments: ["a", "é", "字", "😀", mark])
    func `a length is a number of code points, not of bytes`(character: String) {
        let field = Field<String>("note", minimumLength: 2, maximumLength: 3).declaration
        #expect((0...5).filter { field.accepts(.string(character.repeated($0))) } == [2, 3])
    }

    @Test(
        arguments: [
            ("text", "\0"), ("text", "a\0b"), ("any", "a\0"), ("any", [1, ["a": ["b\0"]]]), ("any", ["a\0": 1]),
            ("list", ["a", "\0"]), ("optional", "\0"),
        ] as [(String, Value)]
    )
    func `a text with U+0000 is rejected, at any depth of a value`(name: String, value: Value) throws {
        let fields = [
            Field<String>("text").declaration, Field<Value>("any").declaration, Field<[String]>("list").declaration,
            Field<String?>("optional").declaration,
        ]
        var faults = FieldFaults()
        try #require(fields.first { $0.name == name }).check(value, &faults)
        let fault = try #require(faults.all.first)
        #expect(faults.all.count == 1)
        if case .wrongType(let expected) = fault.reason {
            #expect(expected.type == .string)
            #expect(expected.format == "text without U+0000")
        } else {
            Issue.record("\(fault.reason)")
        }
    }

    @Test func `a text that is too long is not converted`() async throws {
        /// Counts how often it is converted.
        struct Costly: ScreenValue {
            static let conversions = LockedValue(0)
            static let valueSchema = ValueSchema.string(maximumLength: 3)
            var screenValue: Value { "" }

            init?(screenValue: Value) { Self.conversions.value += 1 }
        }
        struct Controller: Script {
            static let events: Events = [.default("entered", reads: Field<Costly>("text")) { _, _ in }]
        }
        let screen = ResponseRecorder()
        screen.eventable = Scripted(Controller())
        await #expect(throws: EventError.invalidFields([FieldFault("text", .tooLong(maximum: 3))], fields: ["text"])) {
            try await screen.dispatchEvent("entered", with: ["text": "abcd"])
        }
        #expect(Costly.conversions.value == 0)
        try await screen.dispatchEvent("entered", with: ["text": "abc"])
        #expect(Costly.conversions.value > 0)
    }

    @Test func `names are compared as bytes`() {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        #expect(composed == decomposed)
        #expect(!composed.hasSameBytes(as: decomposed))
        #expect(Event(composed) != Event(decomposed))
        #expect(Set([Event(composed), Event(decomposed)]).count == 2)
        let object: Value.Object = [composed: 1]
        #expect(object[decomposed] == nil)
        #expect(object[composed] == 1)
        for length in [0, 1, 14, 15, 16, 17, 100] {
            let text = "a".repeated(length)
            #expect(text.hasSameBytes(as: "a".repeated(length)))
            #expect(!(text + "b").hasSameBytes(as: text + "c"))
        }
    }
}
