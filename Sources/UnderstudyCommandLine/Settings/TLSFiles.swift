import ArgumentParser
import Glibc
import MicroHTTP

/// The files of a certificate and its key.
struct TLSFiles {
    let certificate: String
    let key: String

    /// Reads the files.
    ///
    /// - Throws: ``CommandError`` if they cannot be used.
    func open() throws(CommandError) -> TLSCredentials {
        let (certificate, key) = try contents()
        do { return try TLSCredentials(certificate: certificate, key: key) } catch { throw explanation(of: error) }
    }

    /// Reads the files, which a running server must accept in place of a valid certificate.
    ///
    /// - Throws: ``CommandError`` if they cannot be used, or the certificate has expired.
    func check() throws(CommandError) {
        if try open().isExpired { throw explanation(of: .expired) }
    }

    /// Reads the files again, for connections that are opened from now on.
    ///
    /// - Throws: ``CommandError`` if the files cannot be used, or would replace a valid certificate with an expired one. In this case, the
    ///   credentials do not change.
    func replace(_ credentials: TLSCredentials) throws(CommandError) {
        let (certificate, key) = try contents()
        do { try credentials.replace(certificate: certificate, key: key) } catch { throw explanation(of: error) }
    }

    private func contents() throws(CommandError) -> (certificate: [UInt8], key: [UInt8]) {
        (try read(certificate, Settings.tlsCertificate), try read(key, Settings.tlsKey))
    }

    private func read(_ path: String, _ setting: some AnySetting) throws(CommandError) -> [UInt8] {
        do throws(FileContent.Failure) {
            return try FileContent.bytes(of: path, atMost: 1 << 20)
        } catch {
            // No certificate or key is that large: the file has another content.
            if error.code == EFBIG { return [] }
            throw CommandError("The file '\(path)' of '\(setting.name)' cannot be read: \(error.reason).")
        }
    }

    private func explanation(of error: TLSCredentialsError) -> CommandError {
        switch error {
        case .badCertificate: CommandError("'\(certificate)' is not a valid certificate in PEM format.")
        case .badKey: CommandError("'\(key)' is not a valid private key in PEM format.")
        case .encryptedKey:
            CommandError("The key '\(key)' has a password. Remove it: 'openssl pkey -in FILE -out FILE'.")
        case .foreignKey: CommandError("The key '\(key)' does not belong to the certificate '\(certificate)'.")
        case .expired:
            CommandError("The certificate '\(certificate)' of '\(Settings.tlsCertificate.name)' has expired: renew it.")
        }
    }
}

extension TLSFiles {
    /// The files that the settings name; `nil` if they name none, so that the server uses no TLS.
    ///
    /// - Throws: `ValidationError` if only one of them is named.
    init?(_ reader: SettingsReader) throws {
        let certificate = try reader.value(Settings.tlsCertificate)
        let key = try reader.value(Settings.tlsKey)
        switch (certificate, key) {
        case (let certificate?, let key?): self.init(certificate: certificate, key: key)
        case (nil, nil): return nil
        default: throw ValidationError("'--tls-certificate' and '--tls-key' belong together: give both or neither.")
        }
    }
}
