internal import CMicroHTTPD

/// Header fields that many responses have in common, prepared once.
///
/// Create one for each kind of response and use it again and again: two are equal if they are the same one, and the server reuses what
/// it has prepared for responses with equal common headers. They stay in memory until the process ends, so that no response counts a
/// reference to them.
public struct CommonHeaders: Sendable, Equatable {
    /// Sendable because it never changes and is never freed.
    private final class Content: @unchecked Sendable {
        let fields: [(name: HeaderName, value: String)]

        init(_ fields: [(name: HeaderName, value: String)]) {
            self.fields = fields
        }
    }

    private let content: Unmanaged<Content>

    /// Prepares the given header fields.
    public init(_ fields: [(name: HeaderName, value: String)]) {
        content = .passRetained(Content(fields))
    }

    /// The header fields, in order.
    public var fields: [(name: HeaderName, value: String)] { content.takeUnretainedValue().fields }

    public static func == (one: CommonHeaders, other: CommonHeaders) -> Bool {
        one.content.toOpaque() == other.content.toOpaque()
    }
}
