/// Why a configuration for PostgreSQL is invalid. No case contains a password.
public enum PostgreSQLConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text is not a connection URI as in libpq's documentation.
    case invalidURI(reason: String)
    /// `sslmode=verify-full` or `verify-ca` applies, and no file has the certificates of authorities.
    case rootCertificateMissing(mode: String, path: String)
    /// The file with the password cannot be read, or is empty.
    case unreadablePasswordFile(path: String, reason: String)

    public var description: String {
        switch self {
        case .invalidURI(let reason):
            """
            the database's URI is invalid: \(reason). Expected postgresql://USER@HOST:PORT/DATABASE, with % before the hexadecimal code of \
            each special character
            """
        case .rootCertificateMissing(let mode, let path):
            """
            the sslmode '\(mode)' needs the certificates of the authorities that you trust, and '\(path)' does not exist. Add sslrootcert=FILE to \
            the database's URI (on Debian, /etc/ssl/certs/ca-certificates.crt has the public authorities), or set another sslmode
            """
        case .unreadablePasswordFile(let path, let reason):
            "cannot read the database's password from '\(path)': \(reason)"
        }
    }
}
