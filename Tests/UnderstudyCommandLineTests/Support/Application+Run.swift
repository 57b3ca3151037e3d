@testable import UnderstudyCommandLine

extension Application {
    /// The program that the executable runs.
    static let bundled = Application(
        title: "Understudy",
        version: UnderstudyService.version,
        executable: "understudy",
        translations: .bundled,
        createsPackages: true
    ) { Page.bundled($0) + Page.accounts($0) + Page.factors($0) }

    /// Runs a command line, to which further arguments are added, in this process, which is faster than starting another one, with the
    /// variables that `Program` sets.
    func run(
        _ command: String,
        _ arguments: String...,
        environment: [String: String] = [:],
        input: String = ""
    ) async throws -> Program.Result {
        try await run(command.words + arguments, environment: environment, input: input)
    }

    /// Runs a command in this process.
    ///
    /// - Parameters:
    ///   - input: the text of standard input, at most as long as the buffer of a pipe.
    ///   - terminal: the file to use as standard input instead.
    ///   - onOutput: receives what the command prints, while it runs.
    func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        terminal: FileHandle? = nil,
        onOutput: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Program.Result {
        let data = TemporaryFolder()
        var application = self
        application.environment = Program.environment(data: data.path, environment)
        let standardInput = try Pipe(input)
        let written = Written()
        let redirection = { @Sendable (text: String, descriptor: Int32) in
            written.append(text, descriptor)
            if descriptor == STDOUT_FILENO { onOutput(text) }
        }
        let reading = terminal ?? standardInput.fileHandleForReading
        let status = try await Terminal.$redirection.withValue(redirection) {
            try await Terminal.$input.withValue(reading.fileDescriptor) {
                try await Application.$current.withValue(application) { try await RootCommand.run(arguments) }
            }
        }
        withExtendedLifetime((data, reading)) {}
        return Program.Result(
            status: status,
            signal: nil,
            output: written.lines(STDOUT_FILENO),
            errors: written.lines(STDERR_FILENO)
        )
    }
}

/// Runs `understudy` with a command line, to which further arguments are added, in this process.
func understudy(
    _ command: String,
    _ arguments: String...,
    environment: [String: String] = [:]
) async throws -> Program.Result {
    try await Application.bundled.run(command.words + arguments, environment: environment)
}

/// The text that a command has written to each descriptor.
private final class Written: Sendable {
    let texts = LockedValue<[Int32: String]>([:])

    func append(_ text: String, _ descriptor: Int32) { texts.change { $0[descriptor, default: ""] += text } }

    func lines(_ descriptor: Int32) -> [String] {
        let text = texts.value[descriptor] ?? ""
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
