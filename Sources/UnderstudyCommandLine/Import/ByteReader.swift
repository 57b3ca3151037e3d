import Glibc

/// Reads a file from its beginning to its end, a piece at a time.
struct ByteReader: ~Copyable {
    /// How many bytes have been given out.
    private(set) var position = 0
    /// How many bytes there are; `nil` where that is not known, as of a pipe.
    let size: Int?
    /// Why reading ended early, if it did.
    private(set) var error: String?

    private let descriptor: Int32
    private var buffer: [UInt8]
    private var next = 0

    /// Bytes that are here already.
    init(_ bytes: [UInt8]) {
        descriptor = -1
        buffer = bytes
        size = bytes.count
    }

    /// Standard input for `-`, else the file.
    ///
    /// - Throws: ``CommandError`` where it cannot be opened.
    init(path: String) throws(CommandError) {
        let file = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        let reason = String(cString: strerror(errno))
        var status = stat()
        let isKnown = fstat(file, &status) == 0
        let kind = isKnown ? status.st_mode & S_IFMT : 0
        descriptor = file
        size = kind == S_IFREG ? Int(status.st_size) : nil
        buffer = []
        guard file >= 0 else { throw CommandError("'\(path)' cannot be read: \(reason)") }
        guard kind != S_IFDIR else { throw CommandError("'\(path)' is a folder") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The next byte, which stays the next one; `nil` at the end.
    mutating func peek() -> UInt8? {
        if next == buffer.count { fill() }
        return next < buffer.count ? buffer[next] : nil
    }

    /// The next byte; `nil` at the end.
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
