import ArgumentParser
import BusinessLogic
import FoundationEssentials
import Glibc
import Synchronization

/// Standard input, output and error: with colour on a terminal unless NO_COLOR is set, plain otherwise.
enum Terminal {
    /// Receives each text with its file descriptor instead of writing it there: tests run commands in their own process.
    @TaskLocal static var redirection: (@Sendable (_ text: String, _ descriptor: Int32) -> Void)?
    @TaskLocal static var input = STDIN_FILENO

    /// Why a part of the output could not be written, such as `ENOSPC`; 0 if all of it was. A reader that ends early is no failure.
    static let outputFailure = Atomic<Int32>(0)

    /// Writes an error to standard error as one line. Escapes unprintable characters, so that quoted text cannot control the
    /// terminal.
    static func printError(_ message: String) {
        let label = hasColour(STDERR_FILENO) ? "\u{1B}[1;31merror:\u{1B}[0m" : "error:"
        write("\(label) \(line(of: message).escaped)\n", to: STDERR_FILENO)
    }

    /// An error as one line. ArgumentParser lists possible values on lines of their own.
    static func line(of message: String) -> String {
        message.replacing("\n  - ", with: ", ").replacing(":, ", with: ": ").replacing("\n", with: " ")
    }

    /// Writes what the operator must know about a result to standard error.
    static func printNote(_ text: String) { write("note: \(text.escaped)\n", to: STDERR_FILENO) }

    /// Writes a line to standard output, unbuffered. On a terminal, unprintable characters are escaped, so that no text that
    /// users have entered controls it.
    static func print(_ line: String, terminator: String = "\n") {
        let text = line + terminator
        write(isTerminal(STDOUT_FILENO) ? text.escapedForTerminal : text, to: STDOUT_FILENO)
    }

    /// The text, in bold if standard output is a terminal.
    static func strong(_ text: String) -> String { hasColour(STDOUT_FILENO) ? bold + text + plain : text }

    /// What begins text in bold, and what ends it.
    static let (bold, plain) = ("\u{1B}[1m", "\u{1B}[0m")

    /// Writes text that is not an error to standard error: a question, progress, a log line.
    static func printProgress(_ text: String) { write(text, to: STDERR_FILENO) }

    static var isErrorTerminal: Bool { isTerminal(STDERR_FILENO) }

    /// Whether standard input is a terminal, so that a person can be asked.
    static var canAsk: Bool { isatty(input) != 0 }

    /// Reads a line of standard input byte by byte, so that what follows it is left for others. Of a line with more than `maximumLength`
    /// bytes, returns one byte more, and leaves the rest. The line is without its line feed; `isAtEnd` says that standard input has ended
    /// before one.
    static func readLine(maximumLength: Int) -> (bytes: [UInt8], isAtEnd: Bool) {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count <= maximumLength {
            let count = Glibc.read(input, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return (bytes, true) }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return (bytes, false)
    }

    static func hasColour(_ descriptor: Int32) -> Bool { isTerminal(descriptor) && getenv("NO_COLOR") == nil }

    /// Whether a descriptor for output is a terminal, to which the text goes.
    private static func isTerminal(_ descriptor: Int32) -> Bool { redirection == nil && isatty(descriptor) != 0 }

    private static func write(_ text: String, to descriptor: Int32) {
        if let redirection { return redirection(text, descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if descriptor == STDOUT_FILENO, errno != EPIPE { outputFailure.store(errno, ordering: .relaxed) }
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}

/// Shows how far a command is, on standard error: on a terminal in one line that is replaced, otherwise in a line from time to time.
final class ProgressLine: Sendable {
    private let isTerminal = Terminal.isErrorTerminal
    private let interval: Duration?
    private let shown: Mutex<ContinuousClock.Instant>

    /// - Parameter interval: the time between two lines if standard error is no terminal; `nil` to show none.
    init(every interval: Duration? = nil) {
        self.interval = isTerminal ? .milliseconds(100) : interval
        // On a terminal, the first text is shown at once.
        shown = Mutex(isTerminal ? .now.advanced(by: .milliseconds(-100)) : .now)
    }

    /// Shows a text, unless another one was shown a moment ago.
    func show(_ text: @autoclosure () -> String) {
        guard let interval else { return }
        let isDue = shown.withLock { shown in
            guard ContinuousClock.now - shown >= interval else { return false }
            shown = .now
            return true
        }
        if isDue { Terminal.printProgress(isTerminal ? "\r\(text())\u{1B}[K" : "\(text())\n") }
    }

    func clear() {
        if isTerminal { Terminal.printProgress("\r\u{1B}[K") }
    }
}

/// The option of a command that deletes something: it asks before, unless the option is set.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard yes || Terminal.canAsk else {
            throw ValidationError("Standard input is not a terminal, so that the command cannot ask: add '--yes'.")
        }
    }

    /// Asks a question. Throws ``CommandError`` with `refusal` unless the answer is `y` or `yes`.
    func ask(_ question: String, refusal: String) throws(CommandError) {
        if yes { return }
        Terminal.printProgress("\(question) [y/N] ")
        let answer = String(decoding: Terminal.readLine(maximumLength: 1 << 10).bytes, as: UTF8.self)
        guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandError(refusal) }
    }
}

/// An error that is printed for a person as one line.
struct CommandError: Error, Equatable, CustomStringConvertible {
    let description: String
    let status: Int32

    init(_ description: String, status: Int32 = 1) {
        self.description = description
        self.status = status
    }

    /// Returns what `body` returns. Its error is the reason in a sentence that begins with `problem`.
    static func explaining<Result>(
        _ problem: String,
        status: Int32 = 1,
        _ body: () throws -> Result
    ) throws(CommandError) -> Result {
        do { return try body() } catch { throw CommandError("\(problem): \(error).", status: status) }
    }

    static func unknownAccount(_ name: String) -> CommandError { CommandError("There is no account '\(name)'.") }
}

extension Error {
    /// Why Foundation could not read or write a file, without its path.
    var systemReason: String {
        let system = (self as? CocoaError)?.underlying as? POSIXError
        return system.map { systemError($0.code.rawValue) } ?? "\(self)"
    }
}

extension CollaboratorError {
    /// The line to print; `nil` if the error has already been printed where it occurred.
    var explanation: String? {
        switch self {
        case .unavailable: nil
        case .overloaded, .tooManyRequests: "There is not enough memory to hash a password; lower '--hash-memory'."
        }
    }
}
