package import BusinessLogic
package import UnderstudyPages

extension Page {
    /// Commands as a recording contains them: without the texts of secret outputs.
    package func recorded(_ entries: ArraySlice<CommandHistory.Entry>) -> [Command] {
        let secrets = outputs.filter(\.isSecret).map(\.key)
        if secrets.isEmpty { return entries.map(\.command) }
        return entries.map { entry in
            guard case .render(let key, let value, nil) = entry.command, secrets.contains(key) else {
                return entry.command
            }
            return .render(key: key, value: value.withoutTexts, message: nil)
        }
    }
}

extension Value {
    /// The same value with empty texts, also in lists and in objects.
    fileprivate var withoutTexts: Value {
        switch self {
        case .string: ""
        case .array(let elements): .array(elements.map(\.withoutTexts))
        case .object(let members):
            .object(members.reduce(into: [:]) { object, member in object[member.name] = member.value.withoutTexts })
        default: self
        }
    }
}
