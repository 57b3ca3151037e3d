extension ValueSchema {
    package var example: Value {
        if let declaredExample { return inRange(declaredExample) }
        switch kind {
        case .string: return exampleText
        case .number, .integer: return inRange(1)
        case .boolean: return true
        case .choice(let choices): return choices.first.map(Value.string) ?? .null
        case .array(let element):
            return .array(Array(repeating: element.example, count: max(1, count(.input).lowerBound)))
        case .object(let members):
            var object = Value.Object(capacity: members.count)
            for member in members { object.append(member.name, member.schema.example) }
            return .object(object)
        case .any: return "value"
        }
    }

    private func inRange(_ value: Value) -> Value {
        guard let range, precedes(value, range.minimum) || precedes(range.maximum, value) else { return value }
        return range.minimum
    }

    private var exampleText: Value {
        if let format = constraints.format { return .string(format.example) }
        let text = String("text".unicodeScalars.prefix(maximumLength(.input)))
        return .string(text + String(repeating: "t", count: max(0, minimumLength - text.unicodeScalars.count)))
    }

    /// The value of an erased field in a replay: one that is recognisable if the schema accepts it.
    package var erasedValue: Value {
        let value: Value =
            switch kind {
            case .string: "erased"
            case .number, .integer: 0
            case .boolean: false
            default: example
            }
        return accepts(value) ? value : example
    }

    /// A value of the schema with the ``erasedValue`` of each secret member that is neither null nor empty.
    package func erasingSecrets(in value: Value) -> Value {
        switch (kind, value) {
        case (.array(let element), .array(let elements)):
            return .array(elements.map { element.erasingSecrets(in: $0) })
        case (.object(let members), .object(var object)):
            for member in members {
                guard let value = object[member.name] else { continue }
                if !member.isDeclaredSecret {
                    object[member.name] = member.schema.erasingSecrets(in: value)
                } else if value != .null, value != "" {
                    object[member.name] = member.schema.erasedValue
                }
            }
            return .object(object)
        default: return value
        }
    }
}
