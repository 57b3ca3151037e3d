extension Value {
    /// The same value with empty texts, also in lists and in objects.
    package var withoutTexts: Value {
        switch self {
        case .string: ""
        case .array(let elements): .array(elements.map(\.withoutTexts))
        case .object(let members):
            .object(members.reduce(into: [:]) { object, member in object[member.name] = member.value.withoutTexts })
        default: self
        }
    }
}
