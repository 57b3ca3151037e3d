import Glibc

/// Reads a log line by line.
struct LineReader: ~Copyable {
    /// Where a log is.
    enum Source: Equatable {
        case file(String)
        case standardInput
        /// The journal of this machine: the lines of a unit.
        case journal(unit: String)
    }

    private let file: UnsafeMutablePointer<FILE>
    private let source: Source
    private let line = UnsafeMutablePointer<CChar>.allocate(capacity: LineReader.capacity)

    /// The maximum number of bytes of a line, with a NUL at its end. The rest of a longer line counts as further lines, so that a file without
    /// line feeds takes no more memory.
    private static let capacity = 1 << 20

    /// Opens a log. Call ``close()`` at its end.
    ///
    /// - Throws: ``CommandError`` with the status of `EX_NOINPUT` in sysexits.h if it cannot be opened.
    init(_ source: Source) throws(CommandError) {
        self.source = source
        let (name, opened) =
            switch source {
            case .file(let path): ("The file '\(path.printable)'", fopen(path, "re"))
            // A copy, so that standard input stays open.
            case .standardInput: ("Standard input", fdopen(dup(STDIN_FILENO), "r"))
            // The option of the command accepts no characters that a shell interprets.
            case .journal(let unit):
                ("The journal", popen("exec journalctl --quiet --no-pager --output cat --unit '\(unit)'", "re"))
            }
        guard let opened else {
            throw CommandError("\(name) cannot be opened: \(String(cString: strerror(errno))).", status: 66)
        }
        file = opened
    }

    deinit { line.deallocate() }

    /// Closes the log.
    ///
    /// - Throws: ``CommandError`` with the status of `EX_NOINPUT` in sysexits.h if `journalctl` has failed, which then has printed why.
    consuming func close() throws(CommandError) {
        guard case .journal = source else {
            fclose(file)
            return
        }
        guard pclose(file) == 0 else {
            throw CommandError("The journal cannot be read: 'journalctl' has failed.", status: 66)
        }
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
