import Accounts
import BusinessLogic
import Glibc
import Synchronization

/// The token with which operators log in on their port. It is read whenever it is needed, so that another one applies at once.
struct OperatorToken: Sendable {
    /// The file with the token.
    let path: String

    /// The lengths that are accepted, in bytes.
    private static let lengths = 20...1024

    /// Identifies the token in the file.
    ///
    /// - Throws: ``CommandError`` if the file contains no token, or cannot be read.
    var id: String { get throws { Self.id(of: try bytes) } }

    /// Identifies a token. The duration of comparing two of them shows nothing about a token, because they are hashes.
    static func id(of token: [UInt8]) -> String { blake2b(token, size: 32).hexadecimalDigits }

    /// Checks that the file contains a token.
    ///
    /// - Throws: as ``id``.
    func check() throws { _ = try id }

    private var bytes: [UInt8] {
        get throws {
            let name = path.printable
            var status = stat()
            // Opening a pipe would wait for its writer.
            if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
                throw CommandError("'\(name)' of 'admin-token-file' is no file.")
            }
            let content: [UInt8]
            do throws(FileContent.Failure) { content = try FileContent.bytes(of: path) } catch {
                throw CommandError("The file '\(name)' of 'admin-token-file' cannot be read: \(error.reason).")
            }
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
}

extension OperatorToken {
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
            return last.withLock { last in
                defer { last = id }
                return last != id
            }
        }
    }
}
