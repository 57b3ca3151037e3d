import CMicroHTTPD
import Glibc
import Synchronization

/// The certificate and key of a TLS server. They can be replaced while the server runs.
public final class TLSCredentials: Sendable {
    private let current: Mutex<TLSIdentity>

    /// Creates credentials from PEM.
    ///
    /// - Parameters:
    ///   - certificate: the server's certificate, followed by at most 15 intermediate certificates.
    ///   - key: the certificate's private key, without a password.
    /// - Throws: ``TLSCredentialsError`` if the server cannot use them.
    public init(certificate: [UInt8], key: [UInt8]) throws(TLSCredentialsError) {
        current = Mutex(try TLSIdentity(certificate: certificate, key: key))
    }

    /// Replaces the certificate and key for new connections. Existing connections keep theirs.
    ///
    /// - Throws: ``TLSCredentialsError`` if the server cannot use them, or the current certificate is valid now and the new one is not. Then
    ///   nothing changes.
    public func replace(certificate: [UInt8], key: [UInt8]) throws(TLSCredentialsError) {
        let identity = try TLSIdentity(certificate: certificate, key: key)
        let invalidity = identity.invalidity
        let isReplaced = current.withLock { current in
            guard invalidity == nil || current.invalidity != nil else { return false }
            current = identity
            return true
        }
        if let invalidity, !isReplaced { throw invalidity }
    }

    /// When the first certificate of the chain expires, in seconds since 1970; `nil` if that cannot be read.
    public var expiration: Int? { identity.expiration }

    /// Why clients reject the chain now: a certificate has `expired`, or is `notYetValid`; `nil` if all are valid.
    public var invalidity: TLSCredentialsError? { identity.invalidity }

    var identity: TLSIdentity { current.withLock { $0 } }
}

/// Why the server cannot use a certificate and a key.
public enum TLSCredentialsError: Error, Equatable, Sendable {
    /// The certificate is invalid, or not in PEM.
    case badCertificate
    /// The key is invalid, or not in PEM.
    case badKey
    /// The key has a password.
    case encryptedKey
    /// The key belongs to another certificate.
    case foreignKey
    /// The certificate has expired.
    case expired
    /// The certificate is valid only from a later time on.
    case notYetValid
}

final class TLSIdentity: @unchecked Sendable {
    // Sendable because GnuTLS only reads it after its creation.

    let handle: UnsafeMutablePointer<CMicroHTTPD_Identity>

    init(certificate: [UInt8], key: [UInt8]) throws(TLSCredentialsError) {
        let text = String(decoding: key, as: UTF8.self)
        // The markers of PKCS #8 and of OpenSSL's own format.
        if text.contains("BEGIN ENCRYPTED") || text.contains("4,ENCRYPTED") { throw .encryptedKey }
        var handle: UnsafeMutablePointer<CMicroHTTPD_Identity>?
        let failure = CMicroHTTPD_read_identity(certificate, certificate.count, key, key.count, &handle)
        guard failure == 0, let handle else {
            throw failure == CMicroHTTPD_bad_certificate
                ? .badCertificate : failure == CMicroHTTPD_bad_key ? .badKey : .foreignKey
        }
        self.handle = handle
    }

    var expiration: Int? { validity.map { Int($0.end) } }

    var invalidity: TLSCredentialsError? {
        let now = Int64(time(nil))
        guard let validity, now < validity.start || validity.end <= now else { return nil }
        return validity.end <= now ? .expired : .notYetValid
    }

    /// When all certificates of the chain are valid, in seconds since 1970; `nil` if that cannot be read.
    private var validity: (start: Int64, end: Int64)? {
        var (start, end) = (Int64(0), Int64(0))
        return CMicroHTTPD_read_validity(handle, &start, &end) < 0 ? nil : (start, end)
    }

    deinit {
        CMicroHTTPD_free_identity(handle)
    }
}
