import Glibc

/// A file that contains only a secret, such as the password for a server.
package enum SecretFile {
    /// Returns the file's first line, without its end. Reads at most 4 KiB, because a wrong path may name a device.
    package static func firstLine(of path: String) throws(SettingError) -> String {
        guard let file = fopen(path, "re") else { throw SettingError(String(cString: strerror(errno))) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        if ferror(file) != 0 { throw SettingError("reading failed") }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw SettingError("its first line is empty") }
        guard let secret = String(validating: line, as: UTF8.self), !secret.utf8.contains(0) else {
            throw SettingError("its first line is not UTF-8 text")
        }
        return secret
    }
}
