import Glibc

/// Files that the kernel makes when they are read, so that they have no size.
enum KernelFile {
    /// The content of a file of `/proc` or `/sys`; `nil` if it cannot be read.
    static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
