/// Text for a person, with the stable code by which a client recognises or translates it.
public struct Message: Equatable, Codable, Sendable {
    /// What never changes, `page.reason`: `login.wrongCredentials`.
    public let code: String
    /// The English text.
    public let text: String
    /// What a translation needs to fill in: numbers, names.
    public let parameters: Value.Object

    /// A message.
    public init(code: String, text: String, parameters: Value.Object = [:]) {
        self.code = code
        self.text = text
        self.parameters = parameters
    }
}

extension Message: CustomStringConvertible {
    /// The message in one line: `"Wrong username or password" (login.wrongCredentials)`.
    public var description: String {
        "\(Value.string(text)) (\(code)\(parameters.isEmpty ? "" : " \(parameters)"))"
    }
}
