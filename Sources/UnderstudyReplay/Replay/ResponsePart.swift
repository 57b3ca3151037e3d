import BusinessLogic

/// One side of a difference: a part of a response, or a description in its place.
struct ResponsePart {
    /// The part without what varies from session to session.
    let outline: String
    let text: String
    private let members: Value.Object

    init(_ description: String) { (outline, text, members) = (description, description, [:]) }

    private init(_ outline: [String?], _ value: Value, text: String? = nil) {
        self.outline = outline.compactMap(\.self).joined(separator: " ")
        self.text = text ?? value.text
        members = value.object ?? [:]
    }

    /// A command: what it does with which key or page, and the code of its message.
    init(command: Value) { self.init(["command", "key", "name", "code"].map { command[$0]?.string }, command) }

    init(rejectionIn response: Value.Object) {
        guard let name = ["problem", "failure"].first(where: { response[$0] != nil }), let value = response[name] else {
            self.init("no command")
            return
        }
        self.init(value.outline(name), value, text: "\(name) \(value.text)")
    }

    init(errors: Value.Object) {
        let value = Value.object(errors)
        self.init(value.outline(errors["ok"] == true ? "ok" : "errors"), value)
    }

    init(validation: Value?) {
        guard let validation, let isValid = validation["valid"]?.boolean else {
            self.init("no such rule")
            return
        }
        self.init([isValid ? "valid" : "invalid", validation["code"]?.string], validation)
    }

    init(user: Value) { self.init([user == .null ? "no user" : "a user"], user) }

    /// What differs, such as `render message login.wrongCredentials, now showAlert login.tooManyAttempts`. If only texts, values or
    /// parameters differ, the names of those members.
    func difference(from now: ResponsePart) -> String {
        if outline != now.outline { return "\(outline), now \(now.outline)" }
        let names = members.map(\.name) + now.members.map(\.name).filter { members[$0] == nil }
        let different = names.filter { members[$0] != now.members[$0] }
        return "\(outline), other \(different.isEmpty ? "order of members" : different.joined(separator: " and "))"
    }
}

extension Value {
    var text: String { String(decoding: json.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }

    /// The codes in a problem, a failure or the members of a response about errors, and the fields that they are about.
    fileprivate func outline(_ prefix: String) -> [String?] {
        let errorsByField = self["errors"]?.array?.map { error in
            [error["field"], error["code"]].compactMap { $0?.string }.joined(separator: " ")
        }
        return [prefix, self["code"]?.string, errorsByField.map { "(\($0.joined(separator: ", ")))" }]
    }
}
