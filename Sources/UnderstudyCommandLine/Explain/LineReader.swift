import Glibc

/// Reads a log line by line.
struct LineReader: ~Copyable {
    private let file: UnsafeMutablePointer<FILE>
    private let line = UnsafeMutablePointer<CChar>.allocate(capacity: LineReader.capacity)

    /// The maximum number of bytes of a line, with a NUL at its end. The rest of a longer line counts as further lines, so that a file without
    /// line feeds takes no more memory.
    private static let capacity = 1 << 20

    /// Opens a log.
    ///
    /// - Parameter path: the path of a file, or `-` for standard input.
    /// - Throws: ``CommandError`` with the status of `EX_NOINPUT` in sysexits.h if it cannot be opened.
    init(_ path: String) throws(CommandError) {
        // A copy, so that standard input stays open.
        guard let file = path == "-" ? fdopen(dup(Terminal.input), "r") : fopen(path, "re") else {
            let name = path == "-" ? "Standard input" : "The file '\(path.printable)'"
            throw CommandError("\(name) cannot be opened: \(String(cString: strerror(errno))).", status: 66)
        }
        self.file = file
    }

    deinit {
        fclose(file)
        line.deallocate()
    }

    /// The next line without its end, if it contains one of the texts, as bytes; an empty one otherwise. `nil` at the end.
    ///
    /// - Throws: ``CommandError`` with the status of `EX_IOERR` if the file cannot be read.
    mutating func next(containing texts: [String]) throws(CommandError) -> ArraySlice<UInt8>? {
        guard fgets(line, Int32(Self.capacity), file) != nil else {
            guard ferror(file) == 0 else {
                throw CommandError("The log cannot be read: \(String(cString: strerror(errno))).", status: 74)
            }
            return nil
        }
        var count = strlen(line)
        if count > 0, line[count - 1] == CChar(bitPattern: UInt8(ascii: "\n")) { count -= 1 }
        guard texts.contains(where: { strstr(line, $0) != nil }) else { return [] }
        return line.withMemoryRebound(to: UInt8.self, capacity: count) {
            ArraySlice(UnsafeBufferPointer(start: $0, count: count))
        }
    }
}
