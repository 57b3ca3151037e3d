import BusinessLogic

extension Problem.Code {
    /// The title as a message. Translations contain it as `problem.CODE`.
    var message: Message { Message(code: "problem.\(rawValue)", text: title) }
}
