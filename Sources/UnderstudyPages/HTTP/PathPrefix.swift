import BusinessLogic

/// The path below which a service is mounted.
///
/// ```swift
/// var configuration = ServiceConfiguration()
/// configuration.pathPrefix = "/understudy"
/// ```
///
/// The page `login` is then at `/understudy/login`.
public struct PathPrefix: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The prefix as it begins each path; empty if there is no prefix.
    public let description: String

    /// No prefix: the service is mounted at the root.
    public init() { description = "" }

    /// Creates a prefix such as `/understudy` or `/api/v1`. Each part contains letters, digits, `-`, `_`, `.` and `~`.
    ///
    /// Returns `nil` if the text is invalid, which includes a `/` at the end, and the parts `.` and `..`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].isEmpty, parts.dropFirst().allSatisfy(Self.isPart) else { return nil }
        description = text
    }

    /// Creates a prefix from a literal. An empty literal means no prefix. Traps if the literal is invalid.
    public init(stringLiteral text: String) {
        requireDeclaration(
            text.isEmpty || PathPrefix(text) != nil,
            "'\(text)' is not a valid path prefix such as '/understudy'"
        )
        description = text
    }

    package var isEmpty: Bool { description.isEmpty }

    /// `nil` if the path is not below the prefix. `*` and the probes' paths also match without the prefix.
    package func local(_ path: Substring) -> Substring? {
        guard !isEmpty else { return path }
        // Here and below as bytes: comparing the characters of a client's text can be slow.
        if path.utf8.elementsEqual("*".utf8) || Self.isProbe(path) { return path }
        guard path.utf8.starts(with: description.utf8) else { return nil }
        let rest = path[path.utf8.index(path.startIndex, offsetBy: description.utf8.count)...]
        return rest.utf8.first == UInt8(ascii: "/") ? rest : nil
    }

    /// Whether the path is that of a probe, with or without the prefix.
    package func isProbe(_ path: Substring) -> Bool { local(path).map(Self.isProbe) ?? false }

    private static func isProbe(_ path: Substring) -> Bool {
        path.utf8.elementsEqual("/livez".utf8) || path.utf8.elementsEqual("/readyz".utf8)
    }

    private static func isPart(_ part: Substring) -> Bool {
        !part.isEmpty && part != "." && part != ".."
            && part.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.~".utf8.contains($0) }
    }
}
