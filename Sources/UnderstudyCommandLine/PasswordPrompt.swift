import Glibc

/// Reads a password: twice from a terminal, which does not show it, or once from standard input that is none.
enum PasswordPrompt {
    /// No password is longer, whatever the policy.
    private static let longest = 64 << 10

    /// - Throws: ``CommandError`` where there is none, the two are different, or it is no text.
    static func read() throws -> String {
        guard isatty(STDIN_FILENO) != 0 else { return try line() }
        let password = try hidden("Password: ")
        guard try password == hidden("Once more: ") else { throw CommandError("The two passwords are different.") }
        return password
    }

    private static func hidden(_ prompt: String) throws -> String {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw CommandError("The terminal does not answer.") }
        Echo.settings.initialize(to: settings)
        let handlers = Echo.signals.map { number in
            var handler = sigaction()
            handler.__sigaction_handler.sa_handler = Echo.restoreAndDie
            var previous = sigaction()
            sigaction(number, &handler, &previous)
            return (number, previous)
        }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, Echo.settings)
            for (number, var previous) in handlers { sigaction(number, &previous, nil) }
            Terminal.printProgress("\n")
        }
        settings.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) == 0 else {
            throw CommandError("The terminal cannot be made to hide a password.")
        }
        Terminal.printProgress(prompt)
        return try line()
    }

    /// The first line of standard input without its end.
    private static func line() throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        var isAtEnd = false
        while bytes.count <= longest {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            isAtEnd = count <= 0
            if isAtEnd || byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        guard bytes.count <= longest else { throw CommandError("The password is too long.") }
        if isAtEnd && bytes.isEmpty { throw CommandError("There is no password on standard input.") }
        if !isAtEnd && bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError("The password is not UTF-8.")
        }
        return text
    }
}

/// How the terminal was, for a signal that ends the process while it hides what is typed.
private enum Echo {
    /// Allocated before a signal can come, and written only then.
    nonisolated(unsafe) static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Uses nothing but what a signal handler may use.
    static let restoreAndDie: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSAFLUSH, Echo.settings)
        var lineFeed: UInt8 = 10
        write(STDERR_FILENO, &lineFeed, 1)
        signal(number, SIG_DFL)
        raise(number)
    }
}
