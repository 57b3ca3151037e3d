import ArgumentParser
import FoundationEssentials

/// The name of a database: the URI of a PostgreSQL database, or the path of an SQLite file.
struct DatabaseName: Sendable {
    /// The URI or the path.
    let text: String

    /// Whether it is a URI of PostgreSQL.
    var isURI: Bool { text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") }
}

extension DatabaseName: ExpressibleByArgument {
    init?(argument: String) {
        text = argument
    }
}

extension DatabaseName: SecretArgument {
    /// The name without a password.
    var shown: String {
        guard isURI, let authority = text.utf8.firstRange(of: "//".utf8)?.upperBound else { return text }
        var shown = text
        if let at = text[authority...].prefix(while: { $0 != "/" && $0 != "?" }).lastIndex(of: "@"),
            let colon = text[authority..<at].firstIndex(of: ":")
        {
            shown.replaceSubrange(colon..<at, with: ":…")
        }
        return shown.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            Self.secrets.reduce(String(parameter)) { parameter, name in
                guard let value = parameter.utf8.firstRange(of: "\(name)=".utf8) else { return parameter }
                return parameter[..<value.upperBound] + "…"
            }
        }.joined(separator: "&")
    }

    private static let secrets = ["password", "sslpassword"]
}

/// A setting whose text contains a secret.
protocol SecretArgument {
    /// The text without the secret.
    var shown: String { get }
}
