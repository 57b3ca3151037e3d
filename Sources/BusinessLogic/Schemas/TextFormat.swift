/// Which texts a field or a member accepts.
///
/// ```swift
/// static let format = TextFormat("article", example: "A-1204") { $0.hasPrefix("A-") }
/// static let article = Field<String>("article", format: format)
/// ```
public struct TextFormat: Sendable, Equatable {
    /// The name, in the words of JSON Schema or your own: `email`, `article`.
    public let name: String
    /// A valid text, for errors and documents.
    public let example: String
    /// The function receives no text that is too long.
    let accepts: @Sendable (String) -> Bool

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - name: the name, in the words of JSON Schema or your own.
    ///   - example: a valid text, for errors and documents.
    ///   - accepts: whether a text is valid. It receives no text that is too long.
    public init(_ name: String, example: String, accepts: @escaping @Sendable (String) -> Bool) {
        self.name = name
        self.example = example
        self.accepts = accepts
    }

    /// Whether both have the same name.
    public static func == (left: TextFormat, right: TextFormat) -> Bool { left.name == right.name }
}
