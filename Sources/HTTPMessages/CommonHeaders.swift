/// Header fields that many responses have in common, prepared once.
///
/// Create one value for each kind of response, and use that value for all responses of the kind: the server reuses what it has prepared for
/// responses with equal common headers. Two values are equal only if one is a copy of the other, even if their fields are equal.
public struct CommonHeaders: Sendable, Equatable {
    private final class Content: Sendable {
        let fields: [(name: HeaderName, value: String)]

        init(_ fields: [(name: HeaderName, value: String)]) {
            self.fields = fields
        }
    }

    private let content: Content

    /// Prepares the given header fields.
    public init(_ fields: [(name: HeaderName, value: String)]) {
        content = Content(fields)
    }

    /// The header fields, in order.
    package var fields: [(name: HeaderName, value: String)] { content.fields }

    public static func == (one: CommonHeaders, other: CommonHeaders) -> Bool {
        one.content === other.content
    }
}
