import BusinessLogic
import Yams

extension Value {
    /// The value as YAML in block style, with a line feed at the end. A reader of YAML 1.1 or 1.2 reads the same value from it.
    package var yaml: String {
        do {
            return try Yams.serialize(node: NodeMaker().node(self), indent: 2, width: 110, allowUnicode: true)
        } catch {
            // libyaml rejects only invalid UTF-8 and invalid trees, and a value results in neither.
            preconditionFailure("a value cannot be written as YAML: \(error)")
        }
    }
}

extension Value {
    /// The value of a node whose plain scalars are truth values, integers or texts.
    init(_ node: Node) {
        switch node {
        case .scalar(let scalar) where scalar.style == .plain:
            self =
                Bool(scalar.string).map(Value.boolean) ?? Int(scalar.string).map { Value($0) } ?? .string(scalar.string)
        case .scalar(let scalar): self = .string(scalar.string)
        case .sequence(let elements): self = .array(elements.map { Value($0) })
        case .mapping(let members):
            var object: Object = [:]
            for (name, node) in members { object[name.string ?? ""] = Value(node) }
            self = .object(object)
        case .alias: self = .null
        }
    }
}

/// Converts values to nodes of Yams, with tags that are created once. Yams's own tags create regular expressions and tables, which
/// take more time and memory than everything else.
private struct NodeMaker {
    private let null = Tag(.null, .basic)
    private let boolean = Tag(.bool, .basic)
    private let integer = Tag(.int, .basic)
    private let double = Tag(.float, .basic)
    private let string = Tag(.str, .basic)
    private let array = Tag(.seq, .basic)
    private let object = Tag(.map, .basic)

    func node(_ value: Value) -> Node {
        switch value {
        case .null: scalar("null", null)
        case .boolean(let value): scalar(value ? "true" : "false", boolean)
        case .number(.integer(let value)): scalar(value.description, integer)
        case .number(.double(let value)): value.isFinite ? scalar(value.description, double) : scalar("null", null)
        case .string(let value): scalar(value, string, value.yamlStyle)
        case .array(let elements): .sequence(Node.Sequence(elements.map(node), array, .block))
        case .object(let members):
            .mapping(
                Node.Mapping(
                    members.map { (scalar($0.name, string, $0.name.yamlStyleInOneLine), node($0.value)) },
                    object,
                    .block
                )
            )
        }
    }

    private func scalar(_ text: String, _ tag: Tag, _ style: Node.Scalar.Style = .plain) -> Node {
        .scalar(Node.Scalar(text, tag, style))
    }
}

extension String {
    /// The most readable style for the text. If the text does not allow it, libyaml uses a stricter one.
    fileprivate var yamlStyle: Node.Scalar.Style {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 1 { return .literal }
        return utf8.count > 80 ? .folded : yamlStyleInOneLine
    }

    /// Without quotes only if no reader can mistake the text for a number, a boolean or a timestamp.
    fileprivate var yamlStyleInOneLine: Node.Scalar.Style {
        guard let first = utf8.first, first.isPlainStart else { return .singleQuoted }
        return Self.wordsOfYAML.contains(lowercased()) ? .singleQuoted : .plain
    }

    private static let wordsOfYAML: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
}

extension UInt8 {
    fileprivate var isPlainStart: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"),
            UInt8(ascii: "$"):
            true
        default:
            false
        }
    }
}
