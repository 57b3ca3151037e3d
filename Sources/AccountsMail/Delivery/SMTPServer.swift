internal import Addresses

/// How to connect to an SMTP server.
struct SMTPServer: Equatable, Sendable {
    /// What protects the connection.
    enum Security: Sendable {
        /// Nothing. For a server on this machine only.
        case none
        /// TLS begins with the command `STARTTLS` (RFC 3207), before any password or mail is sent.
        case startTLS
        /// TLS begins at once (RFC 8314).
        case tls
    }

    struct Credentials: Equatable, Sendable {
        let user: String
        let password: String
    }

    /// A name or an IP address, without brackets.
    let host: String
    let port: UInt16
    let security: Security
    let credentials: Credentials?
    /// The file with the certificates of the authorities that are trusted; `nil` for those that the system trusts.
    let authorities: String?

    /// The host as in a URL.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Whether a host is this machine, by its name or address.
    static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true
    }
}
