/// A key of the screen under which a controller shows values of one Swift type.
///
/// ```swift
/// static let userID = Output<String?>("userID")
/// static let errorMessage = Output<Message?>("errorMessage")
/// ```
public struct Output<Content: ScreenValue>: Sendable {
    /// The key of ``Controllable/render(_:_:)-(String,Value)``.
    public let key: String
    /// What the output shows, for the users of the service; `nil` if the output has no description.
    package let description: String?
    /// Whether recordings leave the texts of the value out, and the history forgets them when another value is rendered.
    package let isSecret: Bool

    /// Declares an output.
    ///
    /// - Parameters:
    ///   - key: the key of ``Controllable/render(_:_:)-(String,Value)``.
    ///   - isSecret: whether recordings leave the texts of the value out, such as a new password. The session contains it, also where sessions are
    ///     stored, until another value is rendered; then the history forgets it as well.
    ///   - description: what the output shows, for the users of the service.
    public init(_ key: String, isSecret: Bool = false, description: String? = nil) {
        self.key = key
        self.isSecret = isSecret
        self.description = description
    }
}

extension Command {
    /// Show `value` in an output.
    @inlinable
    public static func render<Content: ScreenValue>(_ output: Output<Content>, _ value: Content) -> Command {
        .render(key: output.key, value: value.screenValue, message: value.screenMessage)
    }
}
