import Glibc
import Synchronization
import Understudy

@testable import UnderstudyCommandLine

extension Application {
    /// The program that the executable runs.
    static let bundled = Application(
        title: "Understudy",
        version: UnderstudyService.version,
        executable: "understudy"
    ) { Page.bundled($0) }

    /// Runs a command in this process, which is faster than starting another one.
    ///
    /// - Parameter onOutput: receives what the command prints, while it runs.
    func run(
        _ arguments: String...,
        onOutput: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Program.Result {
        try await run(arguments, onOutput: onOutput)
    }

    /// Runs a command in this process. The log of `serve` is text, as for `Program`.
    func run(
        _ arguments: [String],
        onOutput: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Program.Result {
        let isServer = arguments.first == "serve"
        let arguments = (isServer ? ["serve", "--log-format", "text"] : []) + arguments.dropFirst(isServer ? 1 : 0)
        let written = Written()
        let redirection = { @Sendable (text: String, descriptor: Int32) in
            written.append(text, descriptor)
            if descriptor == STDOUT_FILENO { onOutput(text) }
        }
        let status = try await Terminal.$redirection.withValue(redirection) {
            try await Application.$current.withValue(self) { try await RootCommand.run(arguments) }
        }
        return Program.Result(
            status: status,
            signal: nil,
            output: written.lines(STDOUT_FILENO),
            errors: written.lines(STDERR_FILENO)
        )
    }
}

/// The text that a command has written to each descriptor.
private final class Written: Sendable {
    private let texts = Mutex<[Int32: String]>([:])

    func append(_ text: String, _ descriptor: Int32) {
        texts.withLock { $0[descriptor, default: ""] += text }
    }

    func lines(_ descriptor: Int32) -> [String] {
        let text = texts.withLock { $0[descriptor] ?? "" }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
