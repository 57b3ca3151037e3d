public import HTTPMessages
import Understudy

/// The other sites whose pictures pages may show.
public struct ImageOrigins: Equatable, Sendable {
    let origins: [String]

    /// Allows only the pictures of the service itself.
    public init() { origins = [] }

    /// Allows the pictures of the origins in a comma-separated list: `https://images.example, https://cdn.example:8443`.
    ///
    /// - Throws: `ListEntryError` for the first invalid entry.
    public init(_ list: String) throws(ListEntryError) {
        origins = try AllowedOrigins.origins(list, schemes: ["https://"], "origin of pictures")
    }
}
