internal import CMicroHTTPD

/// Header fields that many responses have in common, prepared once.
///
/// Create one value for each kind of response, and use that value for all responses of the kind: the server reuses what it has prepared for
/// responses with equal common headers. Two values are equal only if one is a copy of the other, even if their fields are equal.
///
/// The fields stay in memory until the process ends, so that no response counts a reference to them.
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
    package var fields: [(name: HeaderName, value: String)] { content.takeUnretainedValue().fields }

    public static func == (one: CommonHeaders, other: CommonHeaders) -> Bool {
        one.content.toOpaque() == other.content.toOpaque()
    }
}
