/// A text for a person, with a stable code by which a client recognises or translates it. It never changes.
// A class, because commands, histories and event tables share a message.
public final class Message: Sendable {
    /// The code, which never changes. Its form is `page.reason`, as in `login.wrongCredentials`.
    public let code: String
    /// The English text.
    public let text: String
    /// The values that a translation contains, such as numbers and names, in the order of its placeholders.
    public let parameters: Value.Object
    /// The name of the field that the message is about, if it is about one.
    public let field: String?
    /// Whether the message reports an error: what the user wanted has not happened.
    public let isError: Bool

    /// Creates a message that reports an error.
    ///
    /// - Parameters:
    ///   - code: a stable code in the form `page.reason`.
    ///   - text: the English text.
    ///   - parameters: the values that a translation contains; none by default.
    ///   - field: the name of the field that the message is about.
    public convenience init(code: String, text: String, parameters: Value.Object = [:], field: String? = nil) {
        self.init(code, text, parameters, field, isError: true)
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
        Message(code, text, parameters, field, isError: false)
    }

    private init(_ code: String, _ text: String, _ parameters: Value.Object, _ field: String?, isError: Bool) {
        self.code = code
        self.text = text
        self.parameters = parameters
        self.field = field
        self.isError = isError
    }

    /// The same message about another field.
    public func about(_ field: String?) -> Message { Message(code, text, parameters, field, isError: isError) }
}

extension Message: Equatable {
    /// Whether both have the same code, text and parameters: what a command contains.
    public static func == (left: Message, right: Message) -> Bool {
        left === right
            || left.code == right.code && left.text == right.text && left.parameters == right.parameters
    }
}

extension Message: Codable {
    private enum CodingKeys: CodingKey {
        case code, text, parameters, order, field, isError
    }

    /// Decodes a message. All but the code and the text may be absent.
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
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
}

extension Message: CustomStringConvertible {
    /// The message in one line: `"Wrong username or password" (login.wrongCredentials)`.
    public var description: String { "\(Value.string(text)) (\(code)\(parameters.isEmpty ? "" : " \(parameters)"))" }
}

extension Message: CustomReflectable {
    /// The properties that ``==(_:_:)`` compares, for the differences that a test shows.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code, "text": text, "parameters": parameters], displayStyle: .struct)
    }
}
