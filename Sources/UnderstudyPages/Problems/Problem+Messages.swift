package import BusinessLogic

extension Problem.Code {
    /// The title as a message. Translations contain it as `problem.CODE`.
    var message: Message { Message(code: "problem.\(rawValue)", text: title) }
}

extension Translations {
    /// The titles of all problems as messages.
    package static var problemTitles: [Message] { Problem.Code.allCases.map(\.message) }
}
