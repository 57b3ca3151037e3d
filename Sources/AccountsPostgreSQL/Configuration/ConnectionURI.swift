import BusinessLogic
import CPostgreSQL
import Glibc

/// The parameters in a connection URI, by the names in libpq's documentation.
struct ConnectionURI: Sendable {
    private(set) var parameters: [String: String] = [:]
    /// The names of parameters that must not be shown.
    private var secrets: Set<String> = []

    /// - Parameter uri: a URI that begins with `postgresql://` or `postgres://`.
    init(_ uri: String) throws(PostgreSQLConfigurationError) {
        guard ["postgresql://", "postgres://"].contains(where: { uri.utf8.starts(with: $0.utf8) }) else {
            throw .invalidURI(reason: "it does not begin with postgresql:// or postgres://")
        }
        guard !uri.utf8.contains(0) else { throw .invalidURI(reason: "it contains a NUL character") }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(uri, &message) else {
            defer { PQfreemem(message) }
            throw .invalidURI(reason: Self.reason(message.map { String(cString: $0) } ?? ""))
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let keyword = String(cString: keyword)
            // libpq's mark for a field that hides what is typed.
            if option.pointee.dispchar.map({ String(cString: $0) }) == "*" { secrets.insert(keyword) }
            if let value = option.pointee.val { parameters[keyword] = String(cString: value) }
            option += 1
        }
    }

    /// A parameter's value; `nil` if it is absent or empty, which libpq treats in the same way.
    subscript(name: String) -> String? {
        get { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
        set { parameters[name] = newValue }
    }

    /// The hosts in the order in which libpq tries them.
    var hosts: [Host] {
        let names = Self.list(self["host"])
        let addresses = Self.list(self["hostaddr"])
        let ports = Self.list(self["port"])
        return (0..<max(1, names.count, addresses.count)).map { index in
            Host(
                name: index < names.count ? names[index] : "",
                address: index < addresses.count ? addresses[index] : "",
                port: ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            )
        }
    }

    /// Returns the parameters with the hosts moved forward by `count`, so that an attempt begins with another host.
    func rotated(by count: Int) -> [String: String] {
        var parameters = parameters
        for name in ["host", "hostaddr", "port"] {
            let values = Self.list(self[name])
            guard values.count > 1 else { continue }
            let split = count % values.count
            parameters[name] = (values[split...] + values[..<split]).joined(separator: ",")
        }
        return parameters
    }

    /// The URI without its passwords, written from its parameters.
    var redacted: String {
        let user = self["user"].map { Self.encode($0) + (self["password"] == nil ? "@" : ":…@") }
        let hosts = hosts.map { host in
            let name = host.name.isEmpty ? host.address : host.name
            let authority = name.contains(":") ? "[\(name)]" : Self.encode(name)
            return authority + (host.port.isEmpty ? "" : ":\(host.port)")
        }
        let shown = Set(["user", "password", "host", "hostaddr", "port", "dbname"])
        let query = parameters.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(secrets.contains(name) ? "…" : Self.encode(value))"
        }
        return "postgresql://" + (user ?? "") + hosts.joined(separator: ",") + "/" + Self.encode(self["dbname"] ?? "")
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// Throws if a value can never be that of its parameter, which libpq reports only when it has resolved the hosts' names.
    func checkValues() throws(PostgreSQLConfigurationError) {
        for host in hosts {
            // Without its value, which is a part of a password with a special character that is not encoded.
            guard host.port.isEmpty || Int(host.port).map((1...65535).contains) == true else {
                throw .invalidURI(reason: "a port is not a number from 1 to 65535")
            }
            guard host.address.isEmpty || Self.isAddress(host.address) else {
                throw .invalidURI(reason: "'hostaddr' is not an IP address")
            }
        }
        for name in Self.integers {
            guard let value = self[name], Int32(value) == nil else { continue }
            throw .invalidURI(reason: "'\(name)' is not a whole number")
        }
    }

    private static let integers = [
        "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
    ]

    private static func isAddress(_ text: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var addresses: UnsafeMutablePointer<addrinfo>?
        defer { if let addresses { freeaddrinfo(addresses) } }
        return getaddrinfo(text, nil, &hints, &addresses) == 0
    }

    /// Throws what libpq reports before it connects: further invalid values, and what is missing in its files.
    func checkWithLibrary() throws(PostgreSQLConfigurationError) {
        var parameters = parameters
        // As many hosts, whose names libpq does not resolve. TCP connects to no broadcast address, without sending anything.
        for (name, value) in [("host", "localhost"), ("hostaddr", "255.255.255.255")] {
            parameters[name] = hosts.map { _ in value }.joined(separator: ",")
        }
        // The environment and a service can have another number of ports.
        parameters["port"] = self["port"] ?? "5432"
        // It needs a ticket, which can come later.
        if self["gssencmode"] == "require" { parameters["gssencmode"] = nil }
        let connection = Self.startConnection(parameters.map { ($0.key, $0.value) })
        defer { PQfinish(connection) }
        guard PQstatus(connection) == CONNECTION_BAD, let message = PQerrorMessage(connection) else { return }
        let text = String(cString: message)
        guard !text.isEmpty, !text.hasPrefix("connection to server ") else { return }
        throw .invalidURI(reason: String(text.prefix { $0 != "\n" }))
    }

    /// libpq's connection with these parameters, which is not open yet; `nil` without memory for it.
    static func startConnection(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
        let names = parameters.map { strdup($0.name) }
        let values = parameters.map { strdup($0.value) }
        defer { for string in names + values { free(string) } }
        return PQconnectStartParams(
            names.map { UnsafePointer($0) } + [nil],
            values.map { UnsafePointer($0) } + [nil],
            0
        )
    }

    private static func list(_ value: String?) -> [String] {
        value?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    private static func encode(_ text: String) -> String { text.percentEncoded(unless: \.isUnreservedInURI) }

    /// libpq's message quotes the URI, which may contain a password. Only the message about a parameter's name does not.
    private static func reason(_ message: String) -> String {
        guard message.hasPrefix("invalid URI query parameter") else { return "libpq cannot parse it" }
        return String(message.prefix { $0 != "\n" })
    }

    /// One of the servers that a URI names.
    struct Host: Sendable {
        /// A name, an address or the folder of a Unix socket; empty for the default.
        let name: String
        /// An address that makes name resolution unnecessary; empty if the host's name must be resolved.
        let address: String
        /// A port; empty for the default.
        let port: String

        /// What libpq connects to: the address or, without one, the name.
        private var target: String { address.isEmpty ? name : address }

        /// Whether the connection stays on this machine.
        var isLocal: Bool {
            target.hasPrefix("/") || target.hasPrefix("@") || target == "localhost" || target == "::1"
                || (target.hasPrefix("127.") && target.allSatisfy { $0.isNumber || $0 == "." })
        }
    }
}
