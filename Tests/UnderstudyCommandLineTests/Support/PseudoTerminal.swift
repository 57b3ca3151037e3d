/// A terminal with a keyboard on which a test types.
final class PseudoTerminal {
    /// The terminal of the program.
    let terminal: FileHandle
    let keyboard: FileHandle

    init() throws {
        // What posix_openpt() and its related functions do, which Swift cannot import.
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, UInt32) = (0, 0)
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        guard ioctl(descriptor, setLock, &locked) == 0, ioctl(descriptor, getNumber, &number) == 0 else {
            throw POSIXError(.ENOTTY)
        }
        keyboard = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw POSIXError(.ENOTTY) }
        terminal = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    }

    /// Whether the terminal shows what is typed.
    var shows: Bool {
        var settings = termios()
        tcgetattr(terminal.fileDescriptor, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// The lines that programs which have ended wrote to it, and that were not read before.
    var lines: [String] { keyboard.availableData.text.components(separatedBy: "\r\n").dropLast() }

    /// Types a line.
    func type(_ line: String) throws { try keyboard.write(contentsOf: Data((line + "\n").utf8)) }
}
