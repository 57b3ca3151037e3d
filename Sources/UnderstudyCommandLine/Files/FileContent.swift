import Glibc

func systemError(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

enum FileContent {
    struct Failure: Error {
        /// The error number of the system; `EFBIG` if the file is larger than allowed.
        let code: Int32

        var reason: String { systemError(code) }
    }

    /// The bytes of a file. There is a maximum, because a wrong path may name a file without an end, such as a device.
    static func bytes(of path: String, atMost maximum: Int = 1 << 30) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(code: errno) }
        defer { close(file) }
        return try bytes(from: file, atMost: maximum)
    }

    /// The bytes of a file that a person calls `name`, such as `The file 'a.txt'`. `status` is the command's exit status if it cannot be read.
    static func bytes(of path: String, called name: String, status: Int32 = 1) throws(CommandError) -> [UInt8] {
        do { return try bytes(of: path) } catch {
            throw CommandError("\(name) cannot be read: \(error.reason).", status: status)
        }
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

/// Reads a file line by line, so that only one line is in memory. It skips a byte order mark at the beginning.
struct LineReader: ~Copyable {
    /// The maximum number of bytes of a line.
    static let maximumLength = 1 << 20

    /// The reason why reading failed; `nil` if it did not.
    private(set) var error: String?

    private let descriptor: Int32
    private var buffer: ArraySlice<UInt8> = []

    /// Opens a file, or standard input for `-`.
    init(path: String, status exitStatus: Int32 = 1) throws(CommandError) {
        // A copy, so that standard input stays open.
        descriptor = path == "-" ? fcntl(Terminal.input, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        let reason = systemError()
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard descriptor >= 0 else {
            throw CommandError("The file '\(path)' cannot be read: \(reason).", status: exitStatus)
        }
        guard kind != S_IFDIR else {
            throw CommandError("'\(path)' is a folder; a file is expected.", status: exitStatus)
        }
        for byte in [0xEF, 0xBB, 0xBF] as [UInt8] where first == byte { buffer.removeFirst() }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The first byte of the next line; `nil` at the end.
    var first: UInt8? {
        mutating get {
            if buffer.isEmpty, error == nil { fill() }
            return buffer.first
        }
    }

    /// Returns the next line without its line feed; `nil` at the end. Of a line longer than ``maximumLength``, returns one byte more, and
    /// skips the rest.
    mutating func next() -> [UInt8]? {
        guard first != nil else { return nil }
        var line: [UInt8] = []
        repeat {
            let part = buffer.prefix { $0 != UInt8(ascii: "\n") }
            line += part.prefix(Self.maximumLength + 1 - line.count)
            buffer = buffer[part.endIndex...]
            if buffer.popFirst() != nil { break }
        } while first != nil
        return line
    }

    private mutating func fill() {
        do throws(FileContent.Failure) {
            buffer = try FileContent.part(of: descriptor)[...]
        } catch {
            self.error = error.reason
        }
    }
}
