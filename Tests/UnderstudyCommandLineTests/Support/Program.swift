import Dispatch
import Foundation
import HTTPTestClient
import Synchronization

/// The command, running in a process of its own.
final class Program: @unchecked Sendable {
    // Sendable because the process is started before anybody else knows it, and is only asked afterwards.

    /// How it ended, and what it wrote.
    struct Result {
        /// The exit status; `nil` where a signal ended it.
        let status: Int32?
        /// The signal that ended it, if one did.
        let signal: Int32?
        let output: [String]
        let errors: [String]
    }

    private let process: ChildProcess
    /// Where it keeps what it keeps, unless it is told otherwise; gone with it.
    let data = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID().uuidString)")
    let output = Lines()
    let errors = Lines()

    /// The executable stands beside the tests.
    static var executable: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("understudy")
    }

    /// Starts it; of the environment it gets what is given, and nothing else that it would listen to.
    ///
    /// - Parameters:
    ///   - input: what it reads from standard input: no more than fits into a pipe.
    ///   - terminal: what standard input is instead.
    ///   - shell: what a shell does instead, which has the program and its arguments as `"$0" "$@"`.
    ///   - other: another program that is run instead.
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
        let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("UNDERSTUDY_") }
            .merging([
                "UNDERSTUDY_DATA": data.path, "UNDERSTUDY_LOG_FORMAT": "text", "UNDERSTUDY_ADMIN_PORT": "off",
                "UNDERSTUDY_CONFIG": "",
            ]) { $1 }
            .merging(environment) { $1 }
        // Written before anybody can have closed the other end.
        let standardInput = Pipe()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        process = try ChildProcess(
            path,
            words,
            environment: variables,
            input: (terminal ?? standardInput.fileHandleForReading).fileDescriptor,
            output: output.pipe.fileHandleForWriting.fileDescriptor,
            errors: errors.pipe.fileHandleForWriting.fileDescriptor
        )
        try output.start()
        try errors.start()
    }

    /// Runs it to its end.
    static func run(
        _ arguments: String...,
        environment: [String: String] = [:],
        input: String = ""
    ) async throws -> Result {
        let program = try Program(arguments, environment: environment, input: input)
        defer { program.kill() }
        return await program.result()
    }

    deinit {
        try? FileManager.default.removeItem(at: data)
    }

    func send(_ signal: Int32) {
        process.send(signal)
    }

    /// Ends it, whatever it does.
    func kill() {
        send(SIGKILL)
    }

    /// Returns when it has ended.
    func result() async -> Result {
        let ending = await process.end()
        while await output.next() != nil {}
        while await errors.next() != nil {}
        let (status, signal): (Int32?, Int32?) =
            switch ending {
            case .exit(let status): (status, nil)
            case .signal(let signal): (nil, signal)
            }
        return Result(
            status: status,
            signal: signal,
            output: output.all,
            errors: errors.all
        )
    }

    /// What it writes, line by line.
    final class Lines: Sendable {
        fileprivate let pipe = Pipe()
        private let stream: AsyncStream<String>
        private let continuation: AsyncStream<String>.Continuation
        private let seen = Mutex<[String]>([])

        init() {
            (stream, continuation) = AsyncStream<String>.makeStream()
        }

        /// The lines until now.
        var all: [String] { seen.withLock { $0 } }

        /// The next line; `nil` at the end.
        func next() async -> String? {
            for await line in stream { return line }
            return nil
        }

        /// The next line that contains the text; `nil` where there is none.
        func next(containing text: String) async -> String? {
            while let line = await next() {
                if line.contains(text) { return line }
            }
            return nil
        }

        /// The other end is the process's from here on.
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
                }
                if !rest.isEmpty { note(rest) }
                continuation.finish()
            }
        }

        private func note(_ line: Data) {
            let line = String(decoding: line, as: UTF8.self)
            seen.withLock { $0.append(line) }
            continuation.yield(line)
        }
    }
}

/// A server on a free port, while `body` runs.
func withServer(
    _ arguments: String...,
    environment: [String: String] = [:],
    body: (Program, UInt16) async throws -> Void
) async throws {
    let program = try Program(["serve", "--port", "0"] + arguments, environment: environment)
    defer { program.kill() }
    let line = await program.output.next(containing: "Listening on ") ?? ""
    guard let port = line.split(separator: ":").last.flatMap({ UInt16($0.prefix { $0 != "/" }) }) else {
        throw NotListening(result: await program.result())
    }
    try await body(program, port)
}

/// A server did not start.
struct NotListening: Error {
    let result: Program.Result
}
