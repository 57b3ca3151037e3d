import BusinessLogic
import Foundation
import Glibc
import UnderstudyReplay

/// Another program, or another version of this one, that runs `step`.
final class StepProcess: SteppedProgram {
    /// The path, as a person has given it.
    let path: String
    private var process: Process?
    private var input = FileHandle.nullDevice
    private var output: Int32 = -1
    private var buffer: [UInt8] = []
    /// Whether the last request could not be written, because the process has ended.
    private var hasEnded = false

    /// How long a step may take, in milliseconds.
    private static let deadline: Int32 = 30_000

    /// - Throws: ``CommandError`` with the status of `EX_NOINPUT` in sysexits.h if the file is no program.
    init(_ path: String) throws(CommandError) {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandError("'\(path)' is not an executable file.", status: 66)
        }
        self.path = path
        // The write to a process that has ended is an error then, instead of the end of this one.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        stop()
    }

    func send(_ request: Value.Object) throws {
        if process == nil { try start() }
        do {
            try input.write(contentsOf: Data(Value.object(request).json))
        } catch {
            hasEnded = true
        }
    }

    func receive() async throws -> Value.Object {
        guard !hasEnded, let line = try readLine() else { return ended() }
        guard let members = try? JSONReader.read(line).object else {
            throw CommandError("'\(path) step' prints a line that is not a JSON object.", status: 70)
        }
        return members
    }

    func restart() throws {
        stop()
    }

    private func start() throws(CommandError) {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["step"]
        var environment = ProcessInfo.processInfo.environment
        // A trap is a difference, of which a stack trace in each state would only tell the time.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            throw CommandError("'\(path)' cannot be started: \(error.localizedDescription)", status: 66)
        }
        try? output.fileHandleForWriting.close()
        try? input.fileHandleForReading.close()
        self.process = process
        self.input = input.fileHandleForWriting
        // Its own descriptor, which lives longer than the pipe.
        self.output = dup(output.fileHandleForReading.fileDescriptor)
        buffer = []
        hasEnded = false
    }

    private func stop() {
        guard let process else { return }
        try? input.close()
        close(output)
        process.terminate()
        process.waitUntilExit()
        self.process = nil
    }

    /// What is returned instead of a response if the process has ended.
    private func ended() -> Value.Object {
        process?.waitUntilExit()
        let status = process?.terminationStatus ?? 0
        let reason =
            process?.terminationReason == .uncaughtSignal
            ? "the program ended with signal \(status)" : "the program ended with status \(status)"
        stop()
        return ["stopped": .string(reason)]
    }

    /// The next line without its end; `nil` at the end of the output.
    private func readLine() throws(CommandError) -> [UInt8]? {
        var start = 0
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                return line
            }
            start = buffer.count
            var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Self.deadline) != 0 else {
                throw CommandError(
                    "'\(path) step' has not responded within \(Self.deadline / 1000) seconds.",
                    status: 70
                )
            }
            let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { bytes in
                let count = read(output, bytes.baseAddress, bytes.count)
                if count > 0 { buffer += bytes[..<count] }
                return count
            }
            if count <= 0, errno != EINTR || count == 0 { return nil }
        }
    }
}
