import Accounts
import ArgumentParser
import BusinessLogic
import Glibc
import MicroHTTP
import Synchronization

/// The token with which operators log in on their port. It is read whenever it is needed, so that another one applies at once.
struct OperatorToken: Sendable {
    let path: String

    /// The lengths that are accepted, in bytes.
    private static let lengths = 20...1024

    /// Identifies the token in the file. Throws ``CommandError`` if the file contains no token, or cannot be read.
    var id: String { get throws { Self.id(of: try bytes) } }

    /// Identifies a token. The duration of comparing two of them shows nothing about a token, because they are hashes.
    static func id(of token: [UInt8]) -> String { blake2b(token, size: 32).hexadecimalDigits }

    func check() throws { _ = try id }

    private var bytes: [UInt8] {
        get throws {
            let name = path.printable
            var status = stat()
            // Opening a pipe would wait for its writer.
            if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
                throw CommandError("'\(name)' of 'admin-token-file' is no file.")
            }
            let content = try FileContent.bytes(of: path, called: "The file '\(name)' of 'admin-token-file'")
            let lines = content.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            guard lines.count == 1, Self.lengths.contains(lines[0].count) else {
                throw CommandError(
                    """
                    The file '\(name)' of 'admin-token-file' must contain one line of \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) \
                    bytes: 'openssl rand -base64 24' prints such a token.
                    """
                )
            }
            return Array(lines[0])
        }
    }

    /// Detects that the token was replaced, or cannot be read any more.
    final class Rotation: Sendable {
        private let token: OperatorToken
        private let last: Mutex<String?>

        init(of token: OperatorToken) {
            self.token = token
            last = Mutex(try? token.id)
        }

        /// Whether the token is another one than at the last call.
        func hasHappened() -> Bool {
            let id = try? token.id
            return last.withLock { exchange(&$0, with: id) != id }
        }
    }
}

struct TLSFiles {
    let certificate: String
    let key: String

    func open() throws(CommandError) -> TLSCredentials {
        let (certificate, key) = try contents()
        do { return try TLSCredentials(certificate: certificate, key: key) } catch { throw explanation(of: error) }
    }

    /// Reads the files, which a running server must accept in place of a valid certificate. Throws also if the certificate is not valid now.
    func check() throws(CommandError) {
        if let error = try open().invalidity { throw explanation(of: error) }
    }

    /// Reads the files again, for connections that are opened from now on. Throws, and changes nothing, if the files cannot be used, or would
    /// replace a valid certificate with one that is not.
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
        case .notYetValid: CommandError("The certificate '\(certificate)' is not valid yet: look at the clock.")
        case .expired:
            CommandError("The certificate '\(certificate)' of '\(Settings.tlsCertificate.name)' has expired: renew it.")
        }
    }
}

extension TLSFiles {
    /// The files that the settings name; `nil` if they name none, so that the server uses no TLS.
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
