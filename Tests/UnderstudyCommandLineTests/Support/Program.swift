import Dispatch

/// The command in its own process.
final class Program: @unchecked Sendable {
    // Sendable because all properties are set in the initialiser, and `ChildProcess` is used through its methods only.

    /// The exit status and the output of a command.
    struct Result {
        /// The exit status; `nil` if a signal ended the process.
        let status: Int32?
        /// The signal that ended the process; `nil` if it exited.
        let signal: Int32?
        let output: [String]
        let errors: [String]

        /// Expects those of the values that are given, and returns the result. In lines, `…` means any text.
        @discardableResult
        func expect(
            status: Int32? = nil,
            output: [String]? = nil,
            errors: [String]? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) -> Self {
            if let status { #expect(self.status == status, "\(self.errors)", sourceLocation: sourceLocation) }
            if let output { #expect(self.output.shown(as: output) == output, sourceLocation: sourceLocation) }
            if let errors { #expect(self.errors.shown(as: errors) == errors, sourceLocation: sourceLocation) }
            return self
        }

        /// Expects one line of error, and the output if it is given. In lines, `…` means any text.
        func expect(
            error: String,
            status: Int32 = 1,
            output: [String]? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            expect(status: status, output: output, errors: ["error: \(error)"], sourceLocation: sourceLocation)
        }
    }

    let process: ChildProcess
    /// The default data folder, which the program creates, and which is deleted with this object.
    var data: URL { folder.url.appending(path: "data") }
    let folder = TemporaryFolder()
    let output = Lines()
    let errors = Lines()

    /// The program that `UNDERSTUDY_PROGRAM` names; otherwise, the executable in the folder of the tests.
    static var executable: URL {
        if let path = ProcessInfo.processInfo.environment["UNDERSTUDY_PROGRAM"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("understudy")
    }

    /// The environment without settings, with the variables of all tests and the given ones.
    static func environment(data: String, _ variables: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("UNDERSTUDY_") }
            .merging([
                "UNDERSTUDY_DATA": data, "UNDERSTUDY_LOG_FORMAT": "text", "UNDERSTUDY_ADMIN_PORT": "off",
                "UNDERSTUDY_CONFIG": "",
            ]) { $1 }
            .merging(variables) { $1 }
    }

    /// Starts the command. It gets the environment without settings, and the given variables.
    ///
    /// - Parameters:
    ///   - input: the text of standard input, at most as long as the buffer of a pipe.
    ///   - terminal: the file to use as standard input instead.
    ///   - shell: a shell script to run instead, with the command and its arguments as `"$0" "$@"`.
    ///   - other: another program to run instead.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        terminal: FileHandle? = nil,
        shell: String? = nil,
        running other: String? = nil
    ) throws {
        let path = other ?? (shell == nil ? Self.executable.path : "/bin/sh")
        let words = (shell.map { ["-c", $0, Self.executable.path] } ?? []) + arguments
        // Before the process starts, which may close the other end.
        let standardInput = try Pipe(input)
        process = try ChildProcess(
            path,
            words,
            environment: Self.environment(data: folder.path + "/data", environment),
            input: (terminal ?? standardInput.fileHandleForReading).fileDescriptor,
            output: output.pipe.fileHandleForWriting.fileDescriptor,
            errors: errors.pipe.fileHandleForWriting.fileDescriptor
        )
        try output.start()
        try errors.start()
    }

    /// Runs the command in its own process, and waits until it ends. Most tests use `Application.run` instead, which starts no process.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        terminal: FileHandle? = nil,
        shell: String? = nil
    ) async throws -> Result {
        let program = try Program(arguments, environment: environment, input: input, terminal: terminal, shell: shell)
        defer { program.kill() }
        return await program.result()
    }

    /// The process's number.
    var id: Int32 { process.id }

    func send(_ signal: Int32) { process.send(signal) }

    /// Sends a signal, and waits until the process ends.
    @discardableResult
    func end(_ signal: Int32) async -> Result {
        send(signal)
        return await result()
    }

    /// The port of the server, as soon as it listens.
    var port: UInt16 { get async throws { try await port(in: output.next(containing: "Listening on ")) } }

    /// The port for operators, as soon as the server listens there.
    var operatorsPort: UInt16 {
        get async throws { try await port(in: errors.next(containing: "Listening for operators")) }
    }

    func port(in line: String?) async throws -> UInt16 {
        guard let port = line?.split(separator: ":").last.flatMap({ UInt16($0.prefix(while: \.isNumber)) }) else {
            throw NotListening(result: await result())
        }
        return port
    }

    /// Kills the process.
    func kill() { send(SIGKILL) }

    /// Waits until the process ends.
    func result() async -> Result {
        let ending = await process.end()
        while await output.next() != nil {}
        while await errors.next() != nil {}
        let (status, signal): (Int32?, Int32?) =
            switch ending {
            case .exit(let status): (status, nil)
            case .signal(let signal): (nil, signal)
            }
        return Result(status: status, signal: signal, output: output.all, errors: errors.all)
    }

    /// The lines of an output.
    final class Lines: Sendable {
        fileprivate let pipe = Pipe()
        let stream: AsyncStream<String>
        let continuation: AsyncStream<String>.Continuation
        let prompts: AsyncStream<String>
        let promptContinuation: AsyncStream<String>.Continuation
        let seen = LockedValue<[String]>([])

        init() {
            (stream, continuation) = AsyncStream<String>.makeStream()
            (prompts, promptContinuation) = AsyncStream<String>.makeStream()
        }

        /// All lines so far.
        var all: [String] { seen.value }

        /// The next line; `nil` at the end.
        func next() async -> String? {
            for await line in stream { return line }
            return nil
        }

        /// The next prompt, which is a line without an end; `nil` at the end.
        func nextPrompt() async -> String? {
            for await prompt in prompts { return prompt }
            return nil
        }

        /// The next line that contains the text; `nil` if no further line contains it.
        func next(containing text: String) async -> String? {
            while let line = await next() {
                if line.contains(text) { return line }
            }
            return nil
        }

        /// Starts reading. The process must have its copy of the other end.
        fileprivate func start() throws {
            try pipe.fileHandleForWriting.close()
            let reading = pipe.fileHandleForReading
            DispatchQueue(label: "Program.Lines").async { [self] in
                var rest = Data()
                while case let data = reading.availableData, !data.isEmpty {
                    rest += data
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        note(rest[..<end])
                        rest = rest[(end + 1)...]
                    }
                    if rest.last == UInt8(ascii: " ") { promptContinuation.yield(rest.text) }
                }
                if !rest.isEmpty { note(rest) }
                continuation.finish()
                promptContinuation.finish()
            }
        }

        func note(_ line: Data) {
            let line = line.text
            seen.append(line)
            continuation.yield(line)
        }
    }
}

extension Pipe {
    /// A pipe that contains a text, and to which nothing is added.
    convenience init(_ text: String) throws {
        self.init()
        try fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try fileHandleForWriting.close()
    }
}

/// Runs a server on a free port while `body` runs.
func withServer(
    _ arguments: String...,
    environment: [String: String] = [:],
    body: (Program, UInt16) async throws -> Void
) async throws {
    try await withServer(arguments, environment: environment, body: body)
}

/// Runs a server on a free port while `body` runs.
func withServer(
    _ arguments: [String],
    environment: [String: String] = [:],
    body: (Program, UInt16) async throws -> Void
) async throws {
    let program = try Program(["serve", "--port", "0"] + arguments, environment: environment)
    defer { program.kill() }
    try await body(program, program.port)
}

/// A server did not start.
struct NotListening: Error {
    let result: Program.Result
}
