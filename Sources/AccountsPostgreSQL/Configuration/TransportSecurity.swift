import CPostgreSQL
import Glibc

/// Decides whether connections are encrypted, and whether the server's certificate is verified.
struct TransportSecurity {
    let environment: (String) -> String?
    let exists: (String) -> Bool

    static var process: TransportSecurity {
        TransportSecurity(
            environment: { name in getenv(name).map { String(cString: $0) } },
            exists: { path in access(path, R_OK) == 0 }
        )
    }

    /// Sets `sslmode=verify-full`, unless the URI or `PGSSLMODE` sets another mode or every host is on this machine. A host that a service
    /// file names is treated as remote. Throws if the mode verifies the server's certificate and no file contains authorities, which libpq
    /// would report only once it has connected.
    func apply(to uri: inout ConnectionURI) throws(PostgreSQLConfigurationError) {
        if uri["sslmode"] == nil, setting("PGSSLMODE") == nil, !isLocal(uri) { uri["sslmode"] = "verify-full" }
        guard let mode = uri["sslmode"] ?? setting("PGSSLMODE"), mode.hasPrefix("verify-") else { return }
        // libpq verifies nothing on a Unix socket.
        if uri.hosts.allSatisfy({ $0.name.hasPrefix("/") && $0.address.isEmpty }) { return }
        let root = uri["sslrootcert"] ?? setting("PGSSLROOTCERT")
        // An earlier libpq looks for a file with this name.
        if root == "system", PQlibVersion() >= 160_000 { return }
        let path = root ?? "\(setting("HOME") ?? "~")/.postgresql/root.crt"
        guard exists(path) else { throw .rootCertificateMissing(mode: mode, path: path) }
    }

    private func isLocal(_ uri: ConnectionURI) -> Bool {
        let address = uri["hostaddr"] == nil ? setting("PGHOSTADDR") ?? "" : ""
        guard address.isEmpty || ConnectionURI.Host(name: "", address: address, port: "").isLocal else { return false }
        if uri["host"] == nil, uri["hostaddr"] == nil {
            if uri["service"] != nil || setting("PGSERVICE") != nil { return false }
            let names = (setting("PGHOST") ?? "/").split(separator: ",")
            return names.allSatisfy { ConnectionURI.Host(name: String($0), address: address, port: "").isLocal }
        }
        // An empty name in a list is the default, a Unix socket.
        return uri.hosts.allSatisfy { $0.isLocal || ($0.name.isEmpty && $0.address.isEmpty) }
    }

    private func setting(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
}
