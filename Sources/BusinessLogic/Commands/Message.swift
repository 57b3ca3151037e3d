/// A text for a person, with a stable code by which a client recognises or translates it.
public struct Message: Sendable {
    // One object, because commands, histories and event tables share a message.
    private let content: Content

    private final class Content: Sendable {
        let code: String
        let text: String
        let parameters: Value.Object
        let field: String?
        let isError: Bool

        init(_ code: String, _ text: String, _ parameters: Value.Object, _ field: String?, isError: Bool) {
            self.code = code
            self.text = text
            self.parameters = parameters
            self.field = field
            self.isError = isError
        }
    }

    /// The code, which never changes. Its form is `page.reason`, as in `login.wrongCredentials`.
    public var code: String { content.code }
    /// The English text.
    public var text: String { content.text }
    /// The values that a translation contains, such as numbers and names, in the order of its placeholders.
    public var parameters: Value.Object { content.parameters }
    /// The name of the field that the message is about, if it is about one.
    public var field: String? { content.field }
    /// Whether the message reports an error: what the user wanted has not happened.
    public var isError: Bool { content.isError }

    /// Creates a message that reports an error.
    ///
    /// - Parameters:
    ///   - code: a stable code in the form `page.reason`.
    ///   - text: the English text.
    ///   - parameters: the values that a translation contains; none by default.
    ///   - field: the name of the field that the message is about.
    public init(code: String, text: String, parameters: Value.Object = [:], field: String? = nil) {
        content = Content(code, text, parameters, field, isError: true)
    }

    /// A message that does not report an error, such as a confirmation.
    ///
    /// - Parameters:
    ///   - code: a stable code in the form `page.reason`.
    ///   - text: the English text.
    ///   - parameters: the values that a translation contains; none by default.
    ///   - field: the name of the field that the message is about.
    public static func notice(
        code: String,
        text: String,
        parameters: Value.Object = [:],
        field: String? = nil
    ) -> Message {
        Message(Content(code, text, parameters, field, isError: false))
    }

    private init(_ content: Content) {
        self.content = content
    }

    /// Whether both are one object in memory, and therefore equal.
    func isSameObject(as other: Message) -> Bool {
        content === other.content
    }

    /// The same message about another field.
    public func about(_ field: String?) -> Message {
        Message(Content(code, text, parameters, field, isError: isError))
    }
}

extension Message: Equatable {
    /// Whether both have the same code, text and parameters: what a command contains.
    public static func == (left: Message, right: Message) -> Bool {
        left.content === right.content
            || left.code == right.code && left.text == right.text && left.parameters == right.parameters
    }
}

extension Message: Codable {
    private enum CodingKeys: CodingKey {
        case code, text, parameters, order, field, isError
    }

    /// Decodes a message. All but the code and the text may be absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        content = Content(
            try container.decode(String.self, forKey: .code),
            try container.decode(String.self, forKey: .text),
            try Self.parameters(in: container),
            try container.decodeIfPresent(String.self, forKey: .field),
            isError: try container.decodeIfPresent(Bool.self, forKey: .isError) ?? true
        )
    }

    private static func parameters(in container: KeyedDecodingContainer<CodingKeys>) throws -> Value.Object {
        let parameters = try container.decodeIfPresent(Value.Object.self, forKey: .parameters) ?? [:]
        guard let order = try container.decodeIfPresent([String].self, forKey: .order) else { return parameters }
        var ordered: Value.Object = [:]
        for name in order { ordered[name] = parameters[name] }
        return ordered.count == parameters.count ? ordered : parameters
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(text, forKey: .text)
        if !parameters.isEmpty { try container.encode(parameters, forKey: .parameters) }
        // Coders do not keep the order of members.
        if parameters.count > 1 { try container.encode(parameters.map(\.name), forKey: .order) }
        try container.encodeIfPresent(field, forKey: .field)
        if !isError { try container.encode(false, forKey: .isError) }
    }
}

extension Message: CustomStringConvertible {
    /// The message in one line: `"Wrong username or password" (login.wrongCredentials)`.
    public var description: String {
        "\(Value.string(text)) (\(code)\(parameters.isEmpty ? "" : " \(parameters)"))"
    }
}

extension Message: CustomReflectable {
    /// The properties that ``==(_:_:)`` compares, for the differences that a test shows.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code, "text": text, "parameters": parameters], displayStyle: .struct)
    }
}
