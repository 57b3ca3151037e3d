import BusinessLogic
import Glibc

/// Reads a password: twice from a terminal, which does not show it, or the first line of any other standard input.
enum PasswordPrompt {
    /// The maximum number of bytes, independent of the password policy.
    private static let maximumLength = 64 << 10

    static func read() throws -> String {
        guard Terminal.canAsk else { return try line() }
        let password = try hidden("Password: ")
        guard try password == hidden("Once more: ") else {
            throw CommandError("The two passwords are different; run the command again.")
        }
        return password
    }

    private static func hidden(_ prompt: String) throws -> String {
        var settings = termios()
        guard tcgetattr(Terminal.input, &settings) == 0 else {
            throw CommandError("The settings of the terminal cannot be read.")
        }
        Echo.settings.initialize(to: settings)
        let handlers = Echo.signals.map { number in
            var handler = sigaction()
            handler.__sigaction_handler.sa_handler = Echo.restoreAndRaise
            var previous = sigaction()
            sigaction(number, &handler, &previous)
            return (number, previous)
        }
        defer {
            tcsetattr(Terminal.input, TCSAFLUSH, Echo.settings)
            for (number, var previous) in handlers { sigaction(number, &previous, nil) }
            Terminal.printProgress("\n")
        }
        settings.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        guard tcsetattr(Terminal.input, TCSAFLUSH, &settings) == 0 else {
            throw CommandError("The terminal cannot hide a password; pass it on standard input.")
        }
        Terminal.printProgress(prompt)
        return try line()
    }

    /// Reads the first line of standard input, without its end.
    private static func line() throws -> String {
        var (bytes, isAtEnd) = Terminal.readLine(maximumLength: maximumLength)
        guard bytes.count <= maximumLength else {
            throw CommandError("The password has more than \(maximumLength) bytes.")
        }
        if isAtEnd && bytes.isEmpty { throw CommandError("Standard input contains no password.") }
        if !isAtEnd && bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError("The password is not UTF-8.")
        }
        guard !text.containsNUL else {
            throw CommandError("The password contains U+0000, which no page accepts; choose a text without it.")
        }
        return text
    }
}

/// Restores the terminal's settings if a signal ends the process during the prompt.
private enum Echo {
    /// Written only before the signal handlers are installed.
    nonisolated(unsafe) static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Uses only functions that are safe in a signal handler.
    static let restoreAndRaise: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSAFLUSH, Echo.settings)
        var lineFeed: UInt8 = 10
        write(STDERR_FILENO, &lineFeed, 1)
        signal(number, SIG_DFL)
        raise(number)
    }
}
