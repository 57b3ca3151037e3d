internal import CMicroHTTPD
internal import Synchronization

/// What a server shows to clients of TLS. It can be replaced while the server serves.
public final class TLSCredentials: Sendable {
    private let current: Mutex<TLSIdentity>

    /// Credentials, all in PEM.
    ///
    /// - Parameters:
    ///   - certificate: the server's certificate, and behind it those that vouch for it.
    ///   - key: the certificate's private key, without a password.
    public init(certificate: [UInt8], key: [UInt8]) throws(TLSCredentialsError) {
        current = Mutex(try TLSIdentity(certificate: certificate, key: key))
    }

    /// Has clients that come from now on see others. Connections that there are keep theirs.
    ///
    /// - Throws: where they cannot be used; nothing changes then.
    public func replace(certificate: [UInt8], key: [UInt8]) throws(TLSCredentialsError) {
        let identity = try TLSIdentity(certificate: certificate, key: key)
        current.withLock { $0 = identity }
    }

    var identity: TLSIdentity { current.withLock { $0 } }
}

/// Why a certificate and a key cannot be used.
public enum TLSCredentialsError: Error, Equatable, Sendable {
    /// The certificate is none, or not in PEM.
    case badCertificate
    /// The key is none, or not in PEM.
    case badKey
    /// The key has a password.
    case encryptedKey
    /// The key is another certificate's.
    case foreignKey
}

/// A certificate and its key, as GnuTLS has them.
final class TLSIdentity: @unchecked Sendable {
    // Sendable because GnuTLS only reads it, once it is made.

    let handle: UnsafeMutablePointer<CMicroHTTPD_Identity>

    init(certificate: [UInt8], key: [UInt8]) throws(TLSCredentialsError) {
        let text = String(decoding: key, as: UTF8.self)
        // As PKCS #8 and as OpenSSL's own format say it.
        if text.contains("BEGIN ENCRYPTED") || text.contains("4,ENCRYPTED") { throw .encryptedKey }
        var handle: UnsafeMutablePointer<CMicroHTTPD_Identity>?
        let failure = certificate.withUnsafeBytes { certificate in
            key.withUnsafeBytes { key in
                CMicroHTTPD_read_identity(
                    certificate.baseAddress,
                    certificate.count,
                    key.baseAddress,
                    key.count,
                    &handle
                )
            }
        }
        guard failure == 0, let handle else {
            throw failure == CMicroHTTPD_bad_certificate
                ? .badCertificate : failure == CMicroHTTPD_bad_key ? .badKey : .foreignKey
        }
        self.handle = handle
    }

    deinit {
        CMicroHTTPD_free_identity(handle)
    }
}
