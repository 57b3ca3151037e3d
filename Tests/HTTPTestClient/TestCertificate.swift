internal import Foundation

/// A self-signed certificate for `localhost` with its key, created by the program `openssl`. Deinitialising it removes the files.
public final class TestCertificate: Sendable {
    let folder = TemporaryFolder()

    /// Whether `openssl` is installed.
    public static var canBeMade: Bool { FileManager.default.isExecutableFile(atPath: OpenSSL.path) }

    /// Creates a certificate.
    ///
    /// - Parameter years: the years from the beginning of the first to that of the last of which it is valid; otherwise two days from now.
    public init(in years: ClosedRange<Int>? = nil) async throws {
        try await OpenSSL.run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", keyPath, "-out", certificatePath,
        ])
        guard let years else { return }
        // `openssl req` makes only those that are valid from now on.
        let valid = "\(folder.path)/valid.pem"
        try FileManager.default.moveItem(atPath: certificatePath, toPath: valid)
        let section = "database=\(folder.path)/index\nnew_certs_dir=\(folder.path)\nrand_serial=1\npolicy=policy"
        let text =
            "[ca]\ndefault_ca=section\n[section]\n\(section)\ncopy_extensions=copy\n[policy]\ncommonName=supplied\n"
        for (name, text) in [("index", ""), ("configuration", text)] { try folder.write(name, text) }
        try await OpenSSL.run([
            "ca", "-batch", "-notext", "-md", "sha256", "-cert", valid, "-keyfile", keyPath, "-ss_cert", valid,
            "-startdate", "\(years.lowerBound)0101000000Z", "-enddate", "\(years.upperBound)0101000000Z",
            "-config", "\(folder.path)/configuration", "-out", certificatePath,
        ])
    }

    /// The file with the certificate, in PEM.
    public var certificatePath: String { "\(folder.path)/certificate.pem" }
    /// The file with the key, in PEM.
    public var keyPath: String { "\(folder.path)/key.pem" }

    /// The certificate, in PEM.
    public var certificate: [UInt8] { get throws { try bytes(certificatePath) } }
    /// The key, in PEM.
    public var key: [UInt8] { get throws { try bytes(keyPath) } }

    /// The file with the key, encrypted with a password, in PEM.
    ///
    /// - Parameter isTraditional: whether it has OpenSSL's format from before PKCS #8.
    public func encryptedKeyPath(isTraditional: Bool) async throws -> String {
        let path = "\(folder.path)/encrypted-\(isTraditional).pem"
        try await OpenSSL.run(
            ["pkey", "-in", keyPath, "-aes256", "-passout", "pass:secret", "-out", path]
                + (isTraditional ? ["-traditional"] : [])
        )
        return path
    }

    func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
}

/// The program `openssl`.
enum OpenSSL {
    static let path = "/usr/bin/openssl"

    static func run(_ arguments: [String]) async throws {
        let ending = try await ChildProcess(path, arguments).end()
        guard ending == .exit(0) else { throw TestClientError.system("openssl", 0) }
    }
}
