package import BusinessLogic

extension Problem.Code {
    /// The title as a message. Translations contain it as `problem.CODE`.
    var message: Message { Message(code: "problem.\(rawValue)", text: title) }
}

extension Translations {
    /// The messages that the service gives itself: the titles of all problems, what is wrong with a value, and the formats of values.
    package static var serviceMessages: [Message] {
        Problem.Code.allCases.map(\.message) + FieldFault.messages + ValueFormat.messages
    }
}
