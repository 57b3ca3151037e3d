import BusinessLogic
import FoundationEssentials
import Glibc
import UnderstudyReplay

/// One of the two versions of a comparison, as a process that runs `step`, with a limit on its memory. It inherits no files of this process
/// except standard error.
final class ComparedProgram: SteppedProgram {
    /// How long a step may take.
    static let deadline = Duration.seconds(30)
    /// The maximum size of the address space in bytes: 2 GiB.
    static let memory = 2 << 30
    private static let maximumLine = 16 << 20

    /// The path, as a person has given it.
    private let path: String
    private let deadline: Duration
    private let memory: Int
    /// The process, which leads a group; `nil` if none runs.
    private var process: pid_t?
    private var input: Int32 = -1
    private var output: Int32 = -1
    private var buffer: [UInt8] = []
    /// When the response to the last line must be there.
    private var end = ContinuousClock.now

    /// Why a program has not responded to a step.
    private enum Failure: Error {
        case timeout
        /// It has ended, or does not respond with lines. The reason contains nothing that it has printed.
        case ended(reason: String)
    }

    /// Throws ``CommandError`` with the status of `EX_NOINPUT` in sysexits.h if the file is no program.
    init(
        _ path: String,
        deadline: Duration = ComparedProgram.deadline,
        memory: Int = ComparedProgram.memory
    ) throws(CommandError) {
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder, FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandError("'\(path)' is not an executable file.", status: 66)
        }
        self.path = path
        self.deadline = deadline
        self.memory = memory
        // Otherwise, the write to a process that has ended would end this one.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        stop()
    }

    func send(_ request: Value.Object) throws -> () async throws -> Value.Object {
        if process == nil { try start() }
        end = .now + deadline
        let sent = Result { () throws(Failure) in try write(Value.object(request).json) }
        return { try self.result(of: request, sent) }
    }

    private func result(of request: Value.Object, _ sent: Result<Void, Failure>) throws -> Value.Object {
        let line: [UInt8]
        do throws(Failure) {
            try sent.get()
            line = try readLine()
        } catch {
            stop()
            switch error {
            case .timeout: throw timeout(of: request)
            case .ended(let reason): return ["stopped": .string(reason)]
            }
        }
        guard let members = try? JSONReader.read(line).object else {
            throw CommandError("'\(path) step' prints a line that is not a JSON object.", status: 70)
        }
        return members
    }

    private func timeout(of request: Value.Object) -> CommandError {
        var event = ""
        if let page = request["page"]?.string, let name = request["event"]?.string {
            event = " to the event '\(name.printable)' of the page '\(page.printable)'"
        }
        return CommandError("'\(path) step' has not responded within \(deadline.text)\(event).", status: 70)
    }

    // MARK: Lines

    private func write(_ line: [UInt8]) throws(Failure) {
        var written = 0
        while written < line.count {
            try wait(for: input, POLLOUT)
            let count = line[written...].withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno != EINTR, errno != EAGAIN {
                throw ending()
            }
        }
    }

    /// Returns the line of the response without its end.
    private func readLine() throws(Failure) -> [UInt8] {
        var start = 0
        while true {
            if let position = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<position])
                buffer.removeSubrange(...position)
                return line
            }
            start = buffer.count
            guard start <= Self.maximumLine else { throw .ended(reason: "it prints a line of more than 16 MiB") }
            try wait(for: output, POLLIN)
            let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { bytes in
                let count = read(output, bytes.baseAddress, bytes.count)
                if count > 0 { buffer += bytes[..<count] }
                return count
            }
            if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { throw ending() }
        }
    }

    private func wait(for descriptor: Int32, _ events: Int32) throws(Failure) {
        while true {
            let rest = ContinuousClock.now.duration(to: end)
            // Rounded up, because a wait of 0 ms would repeat until the end.
            let milliseconds = max(0, min(Int32.max / 2, Int32(clamping: Int64(rest / .milliseconds(1)) + 1)))
            var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let count = poll(&polled, 1, rest > .zero ? milliseconds : 0)
            if count < 0, errno == EINTR { continue }
            if polled.revents != 0 { return }
            if ContinuousClock.now >= end { throw .timeout }
        }
    }

    // MARK: Process

    private func start() throws(CommandError) {
        var (requests, responses): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        var failure = pipe(&requests) == 0 && pipe(&responses) == 0 ? 0 : errno
        for end in requests + responses { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(requests[1], F_SETFL, O_NONBLOCK)
        _ = fcntl(responses[0], F_SETFL, O_NONBLOCK)
        if failure == 0 { failure = spawn(reading: requests[0], writing: responses[1]) }
        close(requests[0])
        close(responses[1])
        (input, output, buffer) = (requests[1], responses[0], [])
        guard failure == 0 else {
            close(input)
            close(output)
            throw CommandError("'\(path)' cannot be started: \(systemError(failure)).", status: 66)
        }
    }

    /// Returns the number of the error, or 0.
    private func spawn(reading input: Int32, writing output: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        // A library may have opened a file without O_CLOEXEC.
        guard let closeFrom else { return ENOSYS }
        _ = closeFrom(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE, and may block others.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
        )
        // Without a core dump, which would contain values.
        let script = #"ulimit -c 0 && ulimit -v "$1" && exec "$0" step"#
        let arguments = ["/bin/sh", "-c", script, URL(fileURLWithPath: path).path, "\(memory >> 10)"]
        let words = arguments.map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in words + variables { free(word) } }
        var id = pid_t()
        let failure = posix_spawn(&id, "/bin/sh", &actions, &attributes, words + [nil], variables + [nil])
        if failure == 0 { process = id }
        return failure
    }

    private var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        // A stack trace would take seconds. Each thread would reserve address space for its stack and its heap.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["LIBDISPATCH_COOPERATIVE_POOL_STRICT"] = "1"
        environment["MALLOC_ARENA_MAX"] = "1"
        return environment
    }

    /// Ends the process, with all processes that it has started, because a script may have started the program. Returns its status as
    /// `waitpid` returns it; `nil` without a process.
    @discardableResult private func stop() -> Int32? {
        guard let process else { return nil }
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        self.process = nil
        close(input)
        close(output)
        return status
    }

    /// Whether the process has ended, and only waits for ``stop()``.
    private var hasEnded: Bool {
        guard let process else { return true }
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 && information.si_signo == SIGCHLD
    }

    /// How the process has ended, after it has closed its output.
    private func ending() -> Failure {
        // A process that has closed its output only would never end.
        for _ in 0..<100 where !hasEnded { usleep(10_000) }
        guard hasEnded, let status = stop() else { return .ended(reason: "it has closed its output") }
        let signal = status & 0x7F
        guard signal != 0 else { return .ended(reason: "it ended with status \(status >> 8 & 0xFF)") }
        // A program of Swift without memory ends with one of several signals, and cannot say why.
        return .ended(reason: "it ended with signal \(signal), with at most \(memory >> 20) MiB of memory")
    }
}

/// A function of glibc that its headers declare only with `_GNU_SOURCE`.
private let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}
