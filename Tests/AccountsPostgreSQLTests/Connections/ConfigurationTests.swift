import Foundation

@testable import AccountsPostgreSQL

struct ConfigurationTests {
    @Test(arguments: [
        "postgresql://lisa:s3cret@db.example/app?sslmode=require",
        "postgresql://lisa:s%33cret@db.example/app?sslmode=require",
        "postgresql://lisa@db.example/app?sslmode=require&password=s3cret",
        "postgresql://lisa@db.example/app?sslmode=require&password=%733cret&sslpassword=s3cret",
    ])
    func `a description hides the password`(_ uri: String) throws {
        let configuration = try PostgreSQLConfiguration(uri: uri)
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("cret"), "\(text)")
            #expect(text.contains("lisa"))
            #expect(text.contains("db.example"))
        }
        #expect(configuration.connectionParameters(hostOffset: 0).contains { $0 == ("password", "s3cret") })
    }

    @Test(arguments: [
        "mysql://lisa:s3cret@host/app", "host=db password=s3cret", "postgresql://lisa:s3cret%@host/app",
        "postgresql://lisa:s3cret@host/app?nonsense=1", "postgresql://lisa:s3cret@[host/app", "postgresql://h/?s3cret",
    ])
    func `an invalid URI is an error that does not quote a password`(_ uri: String) {
        let error = #expect(throws: PostgreSQLConfigurationError.self) { try PostgreSQLConfiguration(uri: uri) }
        #expect(error.map { !"\($0)".contains("s3cret") } ?? false)
    }

    @Test(arguments: [
        "sslmode=bogus", "target_session_attrs=bogus", "channel_binding=bogus", "gssencmode=bogus", "hostaddr=bogus",
        "ssl_min_protocol_version=bogus", "keepalives_idle=bogus", "tcp_user_timeout=1s", "port=bogus", "port=65536",
        "port=0", "port=5432,5433", "service=bogus",
    ])
    func `a value that no parameter of its name can have is an error before any connection`(_ parameter: String) {
        let error = #expect(throws: PostgreSQLConfigurationError.self) {
            try PostgreSQLConfiguration(uri: "postgresql://lisa:s3cret@localhost/app?\(parameter)")
        }
        #expect(error.map { "\($0)".contains("URI is invalid: ") && !"\($0)".contains("s3cret") } ?? false)
    }

    @Test(arguments: [
        "gssencmode=require", "sslmode=require&keepalives=0", "hostaddr=::1", "service=", "options=-c%20a.b%3D1",
    ])
    func `values that libpq accepts are valid`(_ parameter: String) throws {
        _ = try PostgreSQLConfiguration(uri: "postgresql://lisa@localhost:5432/app?\(parameter)")
        _ = try PostgreSQLConfiguration(uri: "postgresql://localhost:5432,localhost:5433,/app?sslmode=disable")
    }

    @Test(arguments: [
        "/app", "localhost/app", "127.0.0.1:5433/app", "[::1]/app",
        "%2Frun%2Fpostgresql/app", "localhost,127.0.0.2/app",
        "db.example/app?hostaddr=127.0.0.1",
    ])
    func `a connection to this machine is not encrypted by default`(_ uri: String) throws {
        #expect(try mode(uri) == nil)
    }

    @Test(arguments: [
        "db.example/app", "localhost,db.example/app",
        "127.evil.example/app", "localhost/app?hostaddr=10.0.0.1",
        "/app?service=main",
    ])
    func `a connection to another machine verifies the certificate by default`(_ uri: String) throws {
        #expect(try mode(uri) == "verify-full")
        #expect(try mode("10.0.0.1/app", scheme: "postgres") == "verify-full")
    }

    @Test func `the URI and PGSSLMODE set another mode`() throws {
        #expect(try mode("db.example/app?sslmode=disable") == "disable")
        #expect(try mode("db.example/app", ["PGSSLMODE": "require"]) == nil)
        #expect(try mode("/app", ["PGHOST": "db.example"]) == "verify-full")
        #expect(try mode("localhost/app", ["PGHOSTADDR": "10.0.0.1"]) == "verify-full")
        #expect(try mode("/app", ["PGHOST": "db.example", "PGHOSTADDR": "127.0.0.1"]) == nil)
    }

    @Test func `certificates cannot be verified without a file of authorities`() throws {
        let uri = "db.example/app"
        for (query, mode, path) in [
            ("", "verify-full", "/home/a/.postgresql/root.crt"),
            ("?sslmode=verify-ca&sslrootcert=/ca.crt", "verify-ca", "/ca.crt"),
        ] {
            #expect(throws: PostgreSQLConfigurationError.rootCertificateMissing(mode: mode, path: path)) {
                try self.mode(uri + query, ["HOME": "/home/a"], files: [])
            }
        }
        #expect(try mode(uri + "?sslrootcert=/ca.crt", files: ["/ca.crt"]) == "verify-full")
    }

    @Test func `an attempt begins with the next host`() throws {
        let uri = "postgresql://localhost:1,127.0.0.1:2,localhost:3/app"
        let parameters = try PostgreSQLConfiguration(uri: uri).connectionParameters(hostOffset: 4)
        #expect(parameters.contains { $0 == ("host", "127.0.0.1,localhost,localhost") })
        #expect(parameters.contains { $0 == ("port", "2,3,1") })
    }

    @Test func `each attempt to connect reads the password file again, and uses the last password without it`() throws {
        let folder = TemporaryFolder()
        try folder.write("password", "old\n")
        let path = try folder.file("password")
        let configuration = try PostgreSQLConfiguration(uri: "postgresql:///app", passwordFile: path)
        func password() -> String? {
            configuration.connectionParameters(hostOffset: 0).first { $0.name == "password" }?.value
        }
        #expect(password() == "old")
        try folder.write("password", "new\n")
        #expect(password() == "new")
        try Files.remove(path)
        #expect(password() == "old")
    }

    @Test func `a password file that is missing or empty is an error`() throws {
        for path in ["/nonexistent", "/dev/null"] {
            #expect(throws: PostgreSQLConfigurationError.self) {
                try PostgreSQLConfiguration(uri: "postgresql:///app", passwordFile: path)
            }
        }
    }

    /// The mode of a URI, without its scheme.
    func mode(
        _ uri: String,
        _ environment: [String: String] = [:],
        scheme: String = "postgresql",
        files: [String]? = nil
    ) throws -> String? {
        let security = TransportSecurity(environment: { environment[$0] }, exists: { files?.contains($0) ?? true })
        return try PostgreSQLConfiguration(uri: "\(scheme)://\(uri)", security: security).uri["sslmode"]
    }
}
