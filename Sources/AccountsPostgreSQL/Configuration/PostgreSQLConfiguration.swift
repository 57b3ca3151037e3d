import Accounts

/// How to connect to PostgreSQL, and the limits of a pool of connections.
public struct PostgreSQLConfiguration: Sendable {
    /// The most connections that a pool opens, at least 1.
    public var maximumConnections = 10
    /// The most calls that wait for a connection. A further call fails at once.
    public var maximumWaiting = 1000
    /// How long a call may take if it has no deadline of its own, including the time it waits for a connection.
    public var callTimeout: Duration = .seconds(5)
    /// How long one attempt to open a connection may take. If several hosts are given and one does not respond, the next attempt
    /// begins with the host after it. This replaces `connect_timeout`, which libpq ignores here.
    public var connectTimeout: Duration = .seconds(3)
    /// How long the server executes a statement at most.
    ///
    /// Not used if ``preparedStatements`` is `false`: each call then limits its own statements.
    public var statementTimeout: Duration = .seconds(30)
    /// How long the server waits for a lock that another transaction has, such as that of a row. The statement fails then. It is shorter
    /// than ``callTimeout``, so that calls that wait for a lock soon release their connections, and longer than the second after which
    /// PostgreSQL looks for deadlocks.
    public var lockTimeout: Duration = .milliseconds(1500)
    /// How long the server waits for the next statement of a transaction, which no statement delays on purpose: so a process that is paused or
    /// has vanished does not keep its locks, such as that of the audit log. The server then ends the connection.
    public var idleTransactionTimeout: Duration = .seconds(3)
    /// How old a connection becomes before it is replaced. Each connection gets a random age from 90 % to 100 % of it.
    public var maximumLifetime: Duration = .seconds(3600)
    /// Whether statements are prepared, and settings are made once per connection. Set it to `false` if connections go through
    /// PgBouncer in transaction mode.
    public var preparedStatements = true

    /// What `pg_stat_activity` calls the connections, unless the URI sets `application_name`. PostgreSQL keeps its first 63 bytes.
    public var applicationName = "understudy"

    let uri: ConnectionURI
    private let passwordFile: String?

    /// Reads a connection URI as in libpq's documentation, with one or several hosts. `PG…` environment variables and the password file
    /// of libpq supply what it does not contain.
    ///
    /// - Parameters:
    ///   - uri: begins with `postgresql://` or `postgres://`. If it sets no `sslmode`, it is `verify-full` unless every host is on this
    ///     machine or `PGSSLMODE` sets another mode. If it sets no `application_name`, it is ``applicationName``.
    ///   - passwordFile: a file whose first line is the password, which replaces that of the URI. Each new connection reads it again; while it
    ///     cannot be read, it uses the password that this has read.
    public init(uri: String, passwordFile: String? = nil) throws(PostgreSQLConfigurationError) {
        try self.init(uri: uri, passwordFile: passwordFile, security: .process)
        try self.uri.checkWithLibrary()
    }

    init(uri: String, passwordFile: String? = nil, security: TransportSecurity) throws(PostgreSQLConfigurationError) {
        var parsed = try ConnectionURI(uri)
        try parsed.checkValues()
        if let passwordFile {
            do throws(SettingError) { parsed["password"] = try SecretFile.firstLine(of: passwordFile) } catch {
                throw .unreadablePasswordFile(path: passwordFile, reason: error.description)
            }
        }
        try security.apply(to: &parsed)
        self.uri = parsed
        self.passwordFile = passwordFile
    }

    /// Whether the name of a database is a URI, perhaps one that is invalid: it may contain a password. Otherwise, it is the path of a file of
    /// SQLite.
    package static func isURI(_ name: String) -> Bool {
        let start = String(name.unicodeScalars.drop { $0 == " " }.prefix(11)).lowercased()
        return name.utf8.contains("://".utf8) || start.hasPrefix("postgres:") || start == "postgresql:"
    }

    /// Returns a URI without its passwords; nothing of one that is invalid, whose password can be anywhere.
    package static func redacted(uri: String) -> String {
        guard let parsed = try? ConnectionURI(uri), (try? parsed.checkValues()) != nil else { return "postgresql://…" }
        return parsed.redacted
    }

    /// Whether the operator asks for a server that accepts writes.
    var requiresWrites: Bool { ["read-write", "primary"].contains(uri["target_session_attrs"]) }

    /// What applies unless the URI sets it: a connection to a server that has vanished ends within a minute, also if it waits for a commit.
    private static let defaults = [
        "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3", "tcp_user_timeout": "60000",
    ]

    /// The parameters of an attempt to connect, which begins with the host at `offset` modulo the number of hosts.
    func connectionParameters(hostOffset offset: Int) -> [(name: String, value: String)] {
        var parameters = uri.rotated(by: offset)
        parameters["client_encoding"] = "UTF8"
        if let password = passwordFile.flatMap({ try? SecretFile.firstLine(of: $0) }) {
            parameters["password"] = password
        }
        for (name, value) in Self.defaults { parameters[name] = parameters[name] ?? value }
        parameters["fallback_application_name"] = parameters["fallback_application_name"] ?? applicationName
        return parameters.map { ($0.key, $0.value) }
    }
}

extension PostgreSQLConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URI without its passwords.
    public var description: String { uri.redacted }

    /// The URI without its passwords.
    public var debugDescription: String { description }

    /// Contains no password, so that `dump` shows none.
    public var customMirror: Mirror { Mirror(self, children: ["uri": description]) }
}
