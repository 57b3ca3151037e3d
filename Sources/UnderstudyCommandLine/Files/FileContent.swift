import Glibc

/// Reads whole files.
enum FileContent {
    /// Why a file cannot be read.
    struct Failure: Error {
        /// The error number of the system; `EFBIG` if the file is larger than allowed.
        let code: Int32

        var reason: String { String(cString: strerror(code)) }
    }

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - maximum: the maximum number of bytes. A wrong path may name a file without an end, such as a device.
    static func bytes(of path: String, atMost maximum: Int = 1 << 30) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(code: errno) }
        defer { close(file) }
        return try bytes(from: file, atMost: maximum)
    }

    /// What is left to read from a descriptor, which stays open.
    static func bytes(from file: Int32, atMost maximum: Int) throws(Failure) -> [UInt8] {
        var status = stat()
        var bytes: [UInt8] = []
        // A file may grow while it is read, and the size of a pipe or of a file that the kernel makes is unknown.
        if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            guard status.st_size <= maximum else { throw Failure(code: EFBIG) }
            bytes.reserveCapacity(Int(status.st_size))
        }
        while true {
            let part = try part(of: file)
            if part.isEmpty { return bytes }
            guard bytes.count + part.count <= maximum else { throw Failure(code: EFBIG) }
            bytes += part
        }
    }

    /// The next bytes of a descriptor, at most 64 KiB; empty at the end.
    static func part(of file: Int32) throws(Failure) -> [UInt8] {
        while true {
            var count = 0
            let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { memory, initialised in
                count = read(file, memory.baseAddress, memory.count)
                initialised = max(count, 0)
            }
            if count >= 0 { return part }
            guard errno == EINTR else { throw Failure(code: errno) }
        }
    }

    /// The text of a file of `/proc` or `/sys`; `nil` if it cannot be read.
    static func kernelText(_ path: String) -> String? {
        (try? bytes(of: path)).map { String(decoding: $0, as: UTF8.self) }
    }
}
