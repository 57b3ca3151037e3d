package import BusinessLogic

extension FieldFault {
    package var code: Problem.Code { meaning.code }

    /// What is wrong, for the person who has entered the value.
    package var message: Message { meaning.message }

    /// The details are members of the problem for programs.
    private var meaning: (code: Problem.Code, details: Value.Object, message: Message) {
        func message(_ name: String, _ text: String, _ parameters: Value.Object = [:]) -> Message {
            Message(code: "value.\(name)", text: text, parameters: parameters, field: field)
        }
        switch reason {
        case .missing: return (.missingField, [:], message("missing", "Fill in this field."))
        case .unknown: return (.unknownField, [:], message("unknown", "There is no such field."))
        case .wrongType(let expected): return (.wrongFieldType, expected.details, expected.message(field))
        case .tooLong(let maximum):
            let details: Value.Object = ["maximum": Value(maximum)]
            let text = "Enter at most \(Self.characters(maximum))."
            return (.valueTooLong, details, message("tooLong", text, details))
        case .tooShort(let minimum):
            let details: Value.Object = ["minimum": Value(minimum)]
            let text = "Enter at least \(Self.characters(minimum))."
            return (.valueTooShort, details, message("tooShort", text, details))
        case .outOfRange(let minimum, let maximum):
            let details: Value.Object = ["minimum": minimum, "maximum": maximum]
            let text = "Enter a value from \(minimum.text) to \(maximum.text)."
            return (.valueOutOfRange, details, message("outOfRange", text, details))
        case .unknownChoice(let choices):
            let details: Value.Object = ["choices": .array(choices.map(Value.string))]
            return (.unknownChoice, details, message("unknownChoice", "Choose one of the options."))
        case .wrongCount(let count):
            let details: Value.Object = ["minimum": Value(count.lowerBound), "maximum": Value(count.upperBound)]
            let text = "Enter \(count.lowerBound) to \(count.upperBound) entries."
            return (.wrongCount, details, message("wrongCount", text, details))
        }
    }

    /// What is wrong, for a developer, as a sentence.
    package var explanation: String {
        let text =
            switch reason {
            case .missing: isNested ? "\(subject) has no value." : "The event reads \(object), which has no value."
            case .unknown:
                isNested ? "\(subject) is not a member of the object." : "No event of this page reads \(object)."
            case .wrongType(let expected):
                "\(subject) must be \(expected.type.noun)"
                    + (expected.format.map { " of the format '\($0)'" } ?? "") + ", such as \(expected.example)."
            case .tooLong(let maximum): "\(subject) may have at most \(Self.characters(maximum))."
            case .tooShort(let minimum): "\(subject) must have at least \(Self.characters(minimum))."
            case .outOfRange(let minimum, let maximum): "\(subject) must be from \(minimum) to \(maximum)."
            case .unknownChoice(let choices):
                "\(subject) must be one of: \(choices.map { "'\($0)'" }.joined(separator: ", "))."
            case .wrongCount(let count):
                count.lowerBound == count.upperBound
                    ? "\(subject) must have \(count.lowerBound) elements."
                    : "\(subject) must have \(count.lowerBound) to \(count.upperBound) elements."
            }
        return text + (advice.map { " \($0)" } ?? "")
    }

    private var isNested: Bool {
        let token = "/" + field.pointerToken
        return pointer != token && pointer != "/values" + token
    }
    private var object: String { isNested ? "the value at \(pointer)" : "the field '\(field)'" }
    private var subject: String { isNested ? "The value at \(pointer)" : "The field '\(field)'" }

    private static func characters(_ count: Int) -> String { count == 1 ? "1 character" : "\(count) characters" }

    static var messages: [Message] {
        let reasons: [Reason] = [
            .missing, .unknown([]), .tooLong(maximum: 80), .tooShort(minimum: 8), .outOfRange(minimum: 1, maximum: 99),
            .unknownChoice([]), .wrongCount(1...20),
        ]
        let types: [ExpectedValue] = [
            ExpectedValue(.string, example: "text"), ExpectedValue(.string, format: "date", example: "2027-03-01"),
            ExpectedValue(.string, format: "date-time", example: "2027-03-01T09:30:00Z"),
            ExpectedValue(.string, format: "phone", example: "+49 30 123456"), ExpectedValue(.integer, example: 1),
            ExpectedValue(.number, example: 12.5), ExpectedValue(.boolean, example: true),
            ExpectedValue(.array, example: []), ExpectedValue(.object, example: [:]),
        ]
        return (reasons + types.map { .wrongType($0) }).map { FieldFault("", $0).message }
    }

    /// The members of the problem for a program, if this is its first fault. The fields are those that the event reads.
    func members(fields: [String]) -> Value.Object {
        var members: Value.Object = ["field": .string(field)]
        for (name, value) in meaning.details { members[name] = value }
        switch reason {
        case .outOfRange:
            // Of any type in `errors`; here, `maximum` has always been an integer.
            members["minimum"] = nil
            members["maximum"] = nil
        case .missing, .wrongType: members["fields"] = .array(fields.map(Value.string))
        case .unknown(let known): members["fields"] = .array(known.map(Value.string))
        default: break
        }
        return members
    }

    func value(_ context: ResponseContext) -> Value {
        let (code, details, message) = meaning
        var value: Value.Object = [
            "pointer": .string(pointer), "field": .string(field), "code": .string(code.rawValue),
        ]
        for (name, detail) in details { value[name] = detail }
        value["message"] = .string(context.text(of: message))
        return .object(value)
    }
}

extension ExpectedValue {
    fileprivate var details: Value.Object {
        var details: Value.Object = ["expected": .string(type.rawValue)]
        details["format"] = format.map(Value.string)
        details["example"] = example
        return details
    }

    fileprivate func message(_ field: String) -> Message {
        let text = example.text
        func message(_ reason: String, _ sentence: String) -> Message {
            Message(code: "value.\(reason)", text: sentence, parameters: ["example": .string(text)], field: field)
        }
        return switch (type, format) {
        case (.string, nil): Message(code: "value.text", text: "Enter a text.", field: field)
        case (.string, "date"): message("date", "Enter a date, such as \(text).")
        case (.string, "date-time"): message("dateTime", "Enter a date and a time, such as \(text).")
        case (.string, _): message("format", "Enter a value such as \(text).")
        case (.integer, _): Message(code: "value.integer", text: "Enter a whole number.", field: field)
        case (.number, _): message("number", "Enter a number, such as \(text).")
        case (.boolean, _): Message(code: "value.boolean", text: "Choose yes or no.", field: field)
        case (.array, _): Message(code: "value.list", text: "Enter a list.", field: field)
        case (.object, _): Message(code: "value.object", text: "Fill in this group.", field: field)
        }
    }
}

extension Value {
    fileprivate var text: String { string ?? description }
}
