/// Header fields that many responses have in common, prepared once.
///
/// Create one value for each kind of response, and use that value for all responses of the kind: the server reuses what it has prepared for
/// responses with equal common headers. Two are equal only if they are the same object, even if their fields are equal.
public final class CommonHeaders: Sendable, Equatable {
    package let fields: [HeaderField]

    /// Prepares the given header fields.
    public init(_ fields: [HeaderField]) {
        self.fields = fields
    }

    public static func == (one: CommonHeaders, other: CommonHeaders) -> Bool { one === other }
}
