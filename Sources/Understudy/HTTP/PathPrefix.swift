/// Where a service is mounted: the path below which everything stands that it answers.
///
/// ```swift
/// var configuration = ServiceConfiguration()
/// configuration.pathPrefix = "/understudy"
/// ```
///
/// The page login is at `/understudy/login` then.
public struct PathPrefix: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The prefix as it stands before each path: empty where there is none.
    public let description: String

    /// None: everything stands at the root.
    public init() {
        description = ""
    }

    /// A prefix such as `/understudy` or `/api/v1`: it begins with a `/` and does not end with one, and between them stand
    /// letters, digits, `-`, `_`, `.` and `~`. `nil` where the text is none, and so it is for `.` and `..` as a part.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].isEmpty, parts.dropFirst().allSatisfy(Self.isPart) else { return nil }
        description = text
    }

    /// A prefix that stands in a program. One that is none is a programmer's mistake, and stops the program; an empty one
    /// says that there is none.
    public init(stringLiteral text: String) {
        precondition(text.isEmpty || PathPrefix(text) != nil, "'\(text)' cannot be a path prefix: '/understudy' can")
        description = text
    }

    /// Whether there is none.
    public var isEmpty: Bool { description.isEmpty }

    /// The path without the prefix; `nil` where it is not below it. `*`, and what those ask who watch over the process,
    /// counts without it, too.
    func local(_ path: Substring) -> Substring? {
        guard !isEmpty else { return path }
        // Here and below as bytes: characters that a client chooses can make comparing text slow.
        if path.utf8.elementsEqual("*".utf8) || Self.isProbe(path) { return path }
        guard path.utf8.starts(with: description.utf8) else { return nil }
        let rest = path[path.utf8.index(path.startIndex, offsetBy: description.utf8.count)...]
        return rest.utf8.first == UInt8(ascii: "/") ? rest : nil
    }

    /// Whether it is a path, with or without the prefix, at which those ask who watch over the process.
    func isProbe(_ path: Substring) -> Bool {
        local(path).map(Self.isProbe) ?? false
    }

    private static func isProbe(_ path: Substring) -> Bool {
        path.utf8.elementsEqual("/livez".utf8) || path.utf8.elementsEqual("/readyz".utf8)
    }

    private static func isPart(_ part: Substring) -> Bool {
        !part.isEmpty && part != "." && part != ".."
            && part.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.~".utf8.contains($0) }
    }
}
