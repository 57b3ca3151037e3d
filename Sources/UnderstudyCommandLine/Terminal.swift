import Glibc

/// What a person sees: with colour on a terminal, plain everywhere else (and where NO_COLOR asks for it).
enum Terminal {
    /// Writes an error as one line to standard error. What it quotes does not steer the terminal.
    static func printError(_ message: String) {
        // ArgumentParser lists what it would take in lines of its own.
        let line = message.replacing("\n  - ", with: ", ").replacing(":, ", with: ": ").replacing("\n", with: " ")
        let label = hasColour(STDERR_FILENO) ? "\u{1B}[1;31merror:\u{1B}[0m" : "error:"
        write("\(label) \(line.escaped)\n", to: STDERR_FILENO)
    }

    /// Writes a line to standard output at once.
    static func print(_ line: String, terminator: String = "\n") {
        write(line + terminator, to: STDOUT_FILENO)
    }

    /// The text, so that it stands out on standard output.
    static func strong(_ text: String) -> String {
        hasColour(STDOUT_FILENO) ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }

    /// Writes to standard error what is no error: a question, a progress, a line of the log.
    static func printProgress(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// Whether somebody looks at standard error.
    static var isWatched: Bool { isatty(STDERR_FILENO) != 0 }

    /// Whether standard error shows colours.
    static var showsColourOfErrors: Bool { hasColour(STDERR_FILENO) }

    /// Whether there is somebody to ask.
    static var canAsk: Bool { isatty(STDIN_FILENO) != 0 }

    /// Asks a question. Anything but `y` and `yes` is a no.
    static func ask(_ question: String) -> Bool {
        printProgress("\(question) [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    private static func hasColour(_ descriptor: Int32) -> Bool {
        isatty(descriptor) != 0 && getenv("NO_COLOR") == nil
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
