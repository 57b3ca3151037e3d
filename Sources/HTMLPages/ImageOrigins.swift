internal import Understudy

/// The other sites whose pictures pages may show.
public struct ImageOrigins: Equatable, Sendable {
    let origins: [String]

    /// Allows only the pictures of the service itself.
    public init() {
        origins = []
    }

    /// Allows the pictures of the origins in a comma-separated list: `https://images.example, https://cdn.example:8443`.
    ///
    /// - Throws: ``ImageOriginsError`` with the first invalid entry.
    public init(_ list: String) throws(ImageOriginsError) {
        do {
            origins = try AllowedOrigins(list).origins
        } catch {
            throw ImageOriginsError(entry: error.entry)
        }
        if let entry = origins.first(where: { !$0.utf8.starts(with: "https://".utf8) }) {
            throw ImageOriginsError(entry: entry)
        }
    }
}

/// An entry in a list of origins is not a valid origin of pictures.
public struct ImageOriginsError: Error, Equatable, CustomStringConvertible {
    /// The invalid entry.
    public let entry: String

    public var description: String {
        "'\(entry)' is not a valid origin of pictures: write https:// and a host, with a port if needed, without a path or '*'"
    }
}
