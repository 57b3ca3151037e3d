import Glibc

/// Reads a file line by line, so that only one line is in memory. It skips a byte order mark at the beginning.
struct LineReader: ~Copyable {
    /// The maximum number of bytes of a line.
    static let maximumLength = 1 << 20

    /// The reason why reading failed; `nil` if it did not.
    private(set) var error: String?

    private let descriptor: Int32
    private var buffer: ArraySlice<UInt8> = []

    /// Opens a file, or standard input for `-`.
    ///
    /// - Parameter status: the exit status of the command if it fails.
    /// - Throws: ``CommandError`` if the file cannot be opened, or is a folder.
    init(path: String, status exitStatus: Int32 = 1) throws(CommandError) {
        // A copy, so that standard input stays open.
        descriptor = path == "-" ? fcntl(Terminal.input, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        let reason = String(cString: strerror(errno))
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
