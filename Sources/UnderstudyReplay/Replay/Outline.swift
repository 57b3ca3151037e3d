import BusinessLogic

/// A part of a response without what varies from session to session.
struct Outline {
    let text: String
    /// The whole part; `nil` if it is absent.
    let value: Value?

    private init(_ text: [String?], of value: Value? = nil) {
        self.text = text.compactMap { $0 }.joined(separator: " ")
        self.value = value
    }

    init(_ text: String) {
        self.init([text])
    }

    /// A command: what it does with which key or page, and the code of its message.
    init(command: Value) {
        let command = command.object ?? [:]
        self.init(["command", "key", "name", "code"].map { command[$0]?.string }, of: .object(command))
    }

    /// The members of a response about errors, of a problem or of a failure: codes, and the fields that they are about.
    init(errors: Value.Object, prefix: String) {
        let errorsByField = errors["errors"]?.array?.compactMap(\.object).map { error in
            [error["field"], error["code"]].compactMap { $0?.string }.joined(separator: " ")
        }
        let list = errorsByField.map { "(\($0.joined(separator: ", ")))" }
        self.init([prefix, errors["code"]?.string, list], of: .object(errors))
    }

    /// The result of a validation rule.
    init(validation: Value?) {
        let result = validation?.object ?? [:]
        let isValid = result["valid"]?.boolean.map { $0 ? "valid" : "invalid" }
        self.init([isValid ?? "no such rule", result["code"]?.string], of: validation)
    }

    /// The session's user.
    init(user: Value) {
        self.init([user == .null ? "no user" : "a user"], of: user)
    }

    /// What differs, such as `render message login.wrongCredentials, now showAlert login.tooManyAttempts`. If only texts, values or
    /// parameters differ, the names of those members.
    ///
    /// - Parameter now: the part in the replay.
    func difference(from now: Outline) -> String {
        if text != now.text { return "\(text), now \(now.text)" }
        let (recorded, now) = (value?.object ?? [:], now.value?.object ?? [:])
        let names = recorded.map(\.name) + now.map(\.name).filter { recorded[$0] == nil }
        let different = names.filter { recorded[$0] != now[$0] }
        return "\(text), other \(different.isEmpty ? "order of members" : different.joined(separator: " and "))"
    }
}
