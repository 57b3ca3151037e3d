package import BusinessLogic

extension Value {
    /// The value of a node. Plain texts that are null, truth values or numbers in JSON are these.
    package init(_ node: YAMLNode) {
        switch node {
        case .scalar("null", isPlain: true): self = .null
        case .scalar(let text, isPlain: true):
            self =
                Bool(text).map(Value.boolean) ?? Int(text).map { Value($0) }
                ?? Double(text).map { .number(.double($0)) } ?? .string(text)
        case .scalar(let text, isPlain: false): self = .string(text)
        case .sequence(let elements): self = .array(elements.map { Value($0) })
        case .mapping(let members):
            var object: Object = [:]
            for member in members { object.append(member.name, Value(member.node)) }
            self = .object(object)
        }
    }
}
