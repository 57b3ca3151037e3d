import FoundationEssentials
import Glibc

/// A version of the program as a process that runs `step`, with a limit on its memory. It inherits no files of this process except standard
/// error.
final class StepProcess {
    private let path: String
    private let deadline: Duration
    private let memory: Int
    /// The process, which leads a group; `nil` if none runs.
    private var process: pid_t?
    /// Whether the process was started, and has not been stopped since.
    var isRunning: Bool { process != nil }
    private var input: Int32 = -1
    private var output: Int32 = -1
    private var buffer: [UInt8] = []
    /// When the response to the last line must be there.
    private var end = ContinuousClock.now

    /// The longest line that is read.
    private static let maximumLine = 16 << 20

    /// - Parameters:
    ///   - path: the absolute path of the program.
    ///   - deadline: how long a step may take.
    ///   - memory: the maximum size of the address space in bytes.
    init(_ path: String, deadline: Duration, memory: Int) {
        self.path = path
        self.deadline = deadline
        self.memory = memory
        // Otherwise, the write to a process that has ended would end this one.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        stop()
    }

    /// Sends a line with its end. Call ``receive()`` next.
    func send(_ line: [UInt8]) throws(StepFailure) {
        end = .now + deadline
        var written = 0
        while written < line.count {
            try wait(for: input, POLLOUT)
            let count = line[written...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno != EINTR, errno != EAGAIN {
                throw ending()
            }
        }
    }

    /// Returns the line of the response without its end.
    func receive() throws(StepFailure) -> [UInt8] {
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

    // MARK: Process

    /// Starts the process, after the end of an earlier one.
    func start() throws(StepFailure) {
        stop()
        var (requests, responses): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&requests) == 0 else { throw .ended(reason: Self.text(errno)) }
        guard pipe(&responses) == 0 else {
            requests.forEach { close($0) }
            throw .ended(reason: Self.text(errno))
        }
        for end in requests + responses { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(requests[1], F_SETFL, O_NONBLOCK)
        _ = fcntl(responses[0], F_SETFL, O_NONBLOCK)
        defer {
            close(requests[0])
            close(responses[1])
        }
        do throws(StepFailure) {
            process = try spawn(reading: requests[0], writing: responses[1])
        } catch {
            close(requests[1])
            close(responses[0])
            throw error
        }
        (input, output) = (requests[1], responses[0])
        buffer = []
    }

    /// Returns the number of the process.
    private func spawn(reading input: Int32, writing output: Int32) throws(StepFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        // A library may have opened a file without O_CLOEXEC.
        guard let closeFrom else { throw .ended(reason: Self.text(ENOSYS)) }
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
        let arguments = ["/bin/sh", "-c", script, path, "\(memory >> 10)"]
        let words = arguments.map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in words + variables { free(word) } }
        var id = pid_t()
        let failure = posix_spawn(&id, "/bin/sh", &actions, &attributes, words + [nil], variables + [nil])
        guard failure == 0 else { throw .ended(reason: Self.text(failure)) }
        return id
    }

    private var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        // A stack trace would take seconds. Each thread would reserve address space for its stack and its heap.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["LIBDISPATCH_COOPERATIVE_POOL_STRICT"] = "1"
        environment["MALLOC_ARENA_MAX"] = "1"
        return environment
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Ends the process, with all processes that it has started, because a script may have started the program.
    ///
    /// - Returns: its status as `waitpid` returns it; `nil` without a process.
    @discardableResult func stop() -> Int32? {
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
    private func ending() -> StepFailure {
        // A process that has closed its output only would never end.
        for _ in 0..<100 where !hasEnded { usleep(10_000) }
        guard hasEnded, let status = stop() else { return .ended(reason: "it has closed its output") }
        let signal = status & 0x7F
        guard signal != 0 else { return .ended(reason: "it ended with status \(status >> 8 & 0xFF)") }
        // A program of Swift without memory ends with one of several signals, and cannot say why.
        return .ended(reason: "it ended with signal \(signal), with at most \(memory >> 20) MiB of memory")
    }

    /// Waits until a descriptor can be read or written.
    private func wait(for descriptor: Int32, _ events: Int32) throws(StepFailure) {
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
}

/// A function of glibc that its headers declare only with `_GNU_SOURCE`.
private let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}

/// Why a program has not responded to a step.
enum StepFailure: Error, Equatable {
    /// It has not responded in time.
    case timeout
    /// It has ended, cannot be started, or does not respond with lines. The text contains nothing that it has printed.
    case ended(reason: String)

    /// The reason for a person, without a full stop.
    var reason: String {
        switch self {
        case .timeout: "it has not responded in time"
        case .ended(let reason): reason
        }
    }
}
