package import BusinessLogic

package indirect enum YAMLNode: Equatable, Sendable {
    /// Plain if the text has no quotes, and so may mean a number, a truth value or null.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    /// The members in the order of the document. Each name is there once.
    case mapping([Member])

    package struct Member: Equatable, Sendable {
        package let name: String
        package let node: YAMLNode
    }
}

extension Value {
    /// Plain texts that are null, truth values or numbers in JSON are these.
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

package struct YAMLError: Error, Equatable, CustomStringConvertible {
    /// From 1; 0 if the text is not UTF-8.
    package let line: Int
    /// From 1, in code points.
    package let column: Int
    /// Contains nothing of the text except the names that a mapping repeats.
    package let problem: String

    package var description: String { line > 0 ? "line \(line), column \(column): \(problem)" : problem }
}
