internal import Glibc

/// A file that contains only a password.
enum PasswordFile {
    /// Returns the file's first line, without its end.
    static func read(_ path: String) throws(PostgreSQLConfigurationError) -> String {
        guard let file = fopen(path, "re") else {
            throw .unreadablePasswordFile(path: path, reason: String(cString: strerror(errno)))
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        if ferror(file) != 0 { throw .unreadablePasswordFile(path: path, reason: "reading failed") }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw .unreadablePasswordFile(path: path, reason: "its first line is empty") }
        guard let password = String(validating: line, as: UTF8.self), !password.utf8.contains(0) else {
            throw .unreadablePasswordFile(path: path, reason: "its first line is not UTF-8 text")
        }
        return password
    }
}
