internal import Foundation

/// A self-signed certificate for `localhost` with its key, created by the program `openssl`. Deinitialising it removes the files.
public final class TestCertificate: Sendable {
    let folder = TemporaryFolder()

    /// Whether `openssl` is installed.
    public static var canBeMade: Bool { FileManager.default.isExecutableFile(atPath: OpenSSL.path) }

    /// Creates a certificate.
    ///
    /// - Parameter isExpired: whether it has expired a day ago.
    public init(isExpired: Bool = false) async throws {
        try await OpenSSL.run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", keyPath, "-out", certificatePath,
        ])
        guard isExpired else { return }
        // `openssl req` makes none that has expired.
        let valid = "\(folder.path)/valid.pem"
        try FileManager.default.moveItem(atPath: certificatePath, toPath: valid)
        try await OpenSSL.run(["x509", "-in", valid, "-signkey", keyPath, "-days", "-1", "-out", certificatePath])
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
