import BusinessLogic
import CSodium
import Glibc
import Synchronization

/// The token with which operators log in on their port. It is read whenever it is needed, so that another one applies at once.
struct OperatorToken: Sendable {
    /// The file with the token.
    let path: String

    /// The lengths that are accepted, in bytes.
    private static let lengths = 20...1024
    private static let hashLength = 32

    /// Checks that the file contains a token.
    ///
    /// - Throws: ``CommandError`` if it does not, or cannot be read.
    func check() throws { _ = try hash }

    /// Identifies the token if `text` is it; `nil` otherwise.
    ///
    /// - Throws: ``CommandError`` if the file cannot be read.
    func id(of text: String) throws -> String? {
        let (expected, actual) = (try hash, Self.hash(Array(text.utf8)))
        return sodium_memcmp(expected, actual, Self.hashLength) == 0 ? Self.id(expected) : nil
    }

    /// Identifies the token.
    ///
    /// - Throws: ``CommandError`` if the file cannot be read.
    var id: String { get throws { Self.id(try hash) } }

    private var hash: [UInt8] { get throws { Self.hash(try bytes) } }

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
            let token = content.filter { $0 != UInt8(ascii: "\r") }
                .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            guard token.count <= 2, token.last?.isEmpty != false || token.count == 1,
                let first = token.first, Self.lengths.contains(first.count)
            else {
                throw CommandError(
                    """
                    The file '\(name)' of 'admin-token-file' must contain one line of \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) \
                    bytes: 'openssl rand -base64 24' prints such a token.
                    """
                )
            }
            return Array(first)
        }
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: hashLength)
        crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return hash
    }

    private static func id(_ hash: [UInt8]) -> String { hash.prefix(8).hexadecimalDigits }
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
