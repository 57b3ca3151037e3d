/// A text for a person, with a stable code by which a client recognises or translates it.
public struct Message: Equatable, Codable, Sendable {
    /// The code, which never changes. Its form is `page.reason`, as in `login.wrongCredentials`.
    public let code: String
    /// The English text.
    public let text: String
    /// The values that a translation contains, such as numbers and names.
    public let parameters: Value.Object

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - code: a stable code in the form `page.reason`.
    ///   - text: the English text.
    ///   - parameters: the values that a translation contains; none by default.
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
