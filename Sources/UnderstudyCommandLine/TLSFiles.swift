import ArgumentParser
import Foundation
import MicroHTTP

/// Where to find what clients of TLS are shown.
struct TLSOptions: ParsableArguments {
    @Option(Settings.tlsCertificate)
    var tlsCertificate: String?

    @Option(Settings.tlsKey)
    var tlsKey: String?

    /// The files; `nil` where TLS is not to be spoken.
    ///
    /// - Throws: `ValidationError` where only one of them is named.
    func files(_ settings: SettingsReader) throws -> TLSFiles? {
        let certificate = try settings.value(tlsCertificate, Settings.tlsCertificate)
        let key = try settings.value(tlsKey, Settings.tlsKey)
        switch (certificate, key) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        default: throw ValidationError("'--tls-certificate' and '--tls-key' go together: give both or neither.")
        }
    }
}

/// The files with a certificate and its key.
struct TLSFiles {
    let certificate: String
    let key: String

    /// What they hold.
    ///
    /// - Throws: ``CommandError`` where it cannot be used.
    func open() throws(CommandError) -> TLSCredentials {
        let (certificate, key) = try read()
        do {
            return try TLSCredentials(certificate: certificate, key: key)
        } catch {
            throw refusal(error)
        }
    }

    /// Reads the files again, for clients that come from now on.
    ///
    /// - Throws: ``CommandError`` where what they hold cannot be used; nothing changes then.
    func replace(_ credentials: TLSCredentials) throws(CommandError) {
        let (certificate, key) = try read()
        do {
            try credentials.replace(certificate: certificate, key: key)
        } catch {
            throw refusal(error)
        }
    }

    private func read() throws(CommandError) -> (certificate: [UInt8], key: [UInt8]) {
        (try read(certificate, "certificate"), try read(key, "key"))
    }

    private func read(_ path: String, _ what: String) throws(CommandError) -> [UInt8] {
        guard let file = fopen(path, "re") else { throw unreadable(path, what) }
        defer { fclose(file) }
        // Far more than any has: a mistaken path may name something that has no end.
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw unreadable(path, what) }
        return Array(bytes[..<count])
    }

    private func unreadable(_ path: String, _ what: String) -> CommandError {
        CommandError("The \(what) '\(path)' cannot be read: \(String(cString: strerror(errno))).")
    }

    private func refusal(_ error: TLSCredentialsError) -> CommandError {
        switch error {
        case .badCertificate: CommandError("The certificate '\(certificate)' is none in PEM that can be used.")
        case .badKey: CommandError("The key '\(key)' is none in PEM that can be used.")
        case .encryptedKey:
            CommandError("The key '\(key)' has a password. 'openssl pkey -in FILE -out FILE' takes it off.")
        case .foreignKey: CommandError("The key '\(key)' is not the one of the certificate '\(certificate)'.")
        }
    }
}
