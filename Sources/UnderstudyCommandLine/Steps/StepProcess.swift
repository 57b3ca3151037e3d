import FoundationEssentials
import Glibc
import Glibc

/// A version of the program as a process that runs `step`, with a limit on its memory. It inherits the niceness of the thread that starts
/// it, and none of the files of this process.
final class StepProcess {
    private let path: String
    private let deadline: Duration
    private let memory: Int
    private let isIsolated: Bool
    private let control: StepControl
    private var input: Int32 = -1
    private var output: Int32 = -1
    private var buffer: [UInt8] = []
    /// When the response to the last line must be there.
    private var end = ContinuousClock.now

    /// The time for the start is longer than that for an event.
    private static let startFactor = 10
    /// The longest line that is read.
    private static let maximumLine = 16 << 20

    /// - Parameters:
    ///   - path: the absolute path of the program.
    ///   - deadline: how long a step may take.
    ///   - memory: the maximum size of the address space in bytes.
    ///   - isIsolated: whether it gets, of the environment, only what names the language, the time zone and where libraries are, and what it
    ///     writes to standard error is discarded. A server has passwords, and another version could write values.
    ///   - control: stops it from another thread.
    init(_ path: String, deadline: Duration, memory: Int, isIsolated: Bool, control: StepControl) {
        self.path = path
        self.deadline = deadline
        self.memory = memory
        self.isIsolated = isIsolated
        self.control = control
        // Otherwise, the write to a process that has ended would end this one.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        stop()
    }

    /// Starts the process, and waits until it responds, for ten times as long as a step may take.
    func start() throws(StepFailure) {
        try spawn()
        // The response to an empty step is an error. Afterwards, the program has started.
        try send(Array("{}\n".utf8), within: deadline * Self.startFactor)
        guard try receive().first == UInt8(ascii: "{") else {
            throw .ended(reason: "its command 'step' does not print JSON")
        }
    }

    /// Sends a line with its end, and returns the line of the response without its end.
    func respond(to line: [UInt8]) throws(StepFailure) -> [UInt8] {
        try send(line)
        return try receive()
    }

    /// Sends a line with its end. Call ``receive()`` next.
    func send(_ line: [UInt8]) throws(StepFailure) {
        try send(line, within: deadline)
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

    /// Ends the process, with all processes that it has started.
    func stop() {
        _ = kill()
    }

    // MARK: Process

    /// Starts the process, after the end of an earlier one.
    func spawn() throws(StepFailure) {
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
            try control.start { () throws(StepFailure) -> pid_t in
                try spawn(reading: requests[0], writing: responses[1])
            }
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
        if isIsolated { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
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
        if isIsolated {
            let kept = ["PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH"]
            environment = environment.filter { kept.contains($0.key) }
        }
        // A stack trace would take seconds. Each thread would reserve address space for its stack and its heap.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["LIBDISPATCH_COOPERATIVE_POOL_STRICT"] = "1"
        environment["MALLOC_ARENA_MAX"] = "1"
        return environment
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Kills the process, and returns how it has ended.
    private func kill() -> StepControl.Ending? {
        guard let ending = control.end() else { return nil }
        close(input)
        close(output)
        return ending
    }

    /// How the process has ended, after it has closed its output.
    private func ending() -> StepFailure {
        // A process that has closed its output only would never end.
        for _ in 0..<100 where !control.hasEnded {
            if control.wait(until: .now + .milliseconds(10)) == .stopped { return .stopped }
        }
        if control.isStopped { return .stopped }
        guard control.hasEnded, let ending = kill() else { return .ended(reason: "it has closed its output") }
        guard let signal = ending.signal else { return .ended(reason: "it ended with status \(ending.exitStatus)") }
        // A program of Swift without memory ends with one of several signals, and cannot say why.
        return .ended(reason: "it ended with signal \(signal), with at most \(memory >> 20) MiB of memory")
    }

    private func send(_ line: [UInt8], within duration: Duration) throws(StepFailure) {
        end = .now + duration
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

    private func wait(for descriptor: Int32, _ events: Int32) throws(StepFailure) {
        switch control.wait(for: descriptor, events, until: end) {
        case .ready: return
        case .timeout: throw .timeout
        case .stopped: throw .stopped
        }
    }
}

/// A function of glibc that its headers declare only with `_GNU_SOURCE`.
private let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}
