import Glibc

/// Reads a file byte by byte, from a buffer of 64 KiB.
struct ByteReader: ~Copyable {
    /// The number of bytes that have been read.
    private(set) var position = 0
    /// The number of bytes in the file; `nil` if it is unknown, as for a pipe.
    let size: Int?
    /// The reason why reading failed; `nil` if it did not.
    private(set) var error: String?

    private let descriptor: Int32
    private var buffer: [UInt8]
    private var next = 0

    /// Reads from memory.
    init(_ bytes: [UInt8]) {
        descriptor = -1
        buffer = bytes
        size = bytes.count
    }

    /// Opens a file, or standard input for `-`.
    ///
    /// - Throws: ``CommandError`` if it cannot be opened.
    init(path: String) throws(CommandError) {
        let file = path == "-" ? fcntl(Terminal.input, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        let reason = String(cString: strerror(errno))
        var status = stat()
        let isKnown = fstat(file, &status) == 0
        let kind = isKnown ? status.st_mode & S_IFMT : 0
        descriptor = file
        size = kind == S_IFREG ? Int(status.st_size) : nil
        buffer = []
        guard file >= 0 else { throw CommandError("The file '\(path)' cannot be read: \(reason).") }
        guard kind != S_IFDIR else { throw CommandError("'\(path)' is a folder; a file is expected.") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the next byte without consuming it; `nil` at the end.
    mutating func peek() -> UInt8? {
        if next == buffer.count { fill() }
        return next < buffer.count ? buffer[next] : nil
    }

    /// Consumes and returns the next byte; `nil` at the end.
    mutating func read() -> UInt8? {
        guard let byte = peek() else { return nil }
        next += 1
        position += 1
        return byte
    }

    private mutating func fill() {
        guard descriptor >= 0, error == nil else { return }
        next = 0
        buffer = [UInt8](unsafeUninitializedCapacity: 1 << 16) { memory, count in
            var result: Int
            repeat {
                result = Glibc.read(descriptor, memory.baseAddress, memory.count)
            } while result < 0
                && errno == EINTR
            count = max(0, result)
            if result < 0 { error = String(cString: strerror(errno)) }
        }
    }
}
