import Foundation
import Glibc

/// Another version of the program as a process that runs `step`, with a limit on its memory. It inherits the niceness of the thread that
/// starts it.
///
/// It gets none of the server's files, and of the environment only what names the language, the time zone and where libraries are: it must
/// not have the passwords that the server has. What it writes to standard error is discarded, because it could contain values.
final class ShadowProcess: ShadowProgram {
    private let path: String
    private let deadline: Duration
    private let memory: Int
    private let control: ShadowControl
    private var input: Int32 = -1
    private var output: Int32 = -1
    private var buffer: [UInt8] = []

    /// The time for the start is longer than that for an event.
    private static let startFactor = 10
    /// The longest line that is read.
    private static let maximumLine = 16 << 20

    /// - Parameters:
    ///   - path: the absolute path of the program.
    ///   - deadline: how long an event may take. The start may take ten times as long.
    ///   - memory: the maximum size of the address space in bytes.
    ///   - control: stops it from another thread.
    init(_ path: String, deadline: Duration, memory: Int, control: ShadowControl) {
        self.path = path
        self.deadline = deadline
        self.memory = memory
        self.control = control
    }

    deinit {
        stop()
    }

    func start() throws(ShadowFailure) {
        stop()
        try spawn()
        // The response to an empty step is an error. Afterwards, the program has started.
        let line = try exchange(Array("{}\n".utf8), until: .now + deadline * Self.startFactor)
        guard line.first == UInt8(ascii: "{") else {
            throw .ended(reason: "its command 'step' does not print JSON")
        }
    }

    func respond(to line: [UInt8]) throws(ShadowFailure) -> [UInt8] {
        try exchange(line, until: .now + deadline)
    }

    func stop() {
        _ = end()
    }

    // MARK: Process

    private func spawn() throws(ShadowFailure) {
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
        do throws(ShadowFailure) {
            try control.start { () throws(ShadowFailure) -> pid_t in
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
    private func spawn(reading input: Int32, writing output: Int32) throws(ShadowFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // A library may have opened a file without O_CLOEXEC.
        guard let closeFrom else { throw .ended(reason: Self.text(ENOSYS)) }
        _ = closeFrom(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The server ignores SIGPIPE, and may block others.
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
        let variables = Self.environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in words + variables { free(word) } }
        var id = pid_t()
        let failure = posix_spawn(&id, "/bin/sh", &actions, &attributes, words + [nil], variables + [nil])
        guard failure == 0 else { throw .ended(reason: Self.text(failure)) }
        return id
    }

    private static var environment: [String: String] {
        let kept = ["PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH"]
        var environment = ProcessInfo.processInfo.environment.filter { kept.contains($0.key) }
        // A stack trace would take seconds. Each thread would reserve address space for its stack and its heap.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["LIBDISPATCH_COOPERATIVE_POOL_STRICT"] = "1"
        environment["MALLOC_ARENA_MAX"] = "1"
        return environment
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Kills the process, and returns its status.
    private func end() -> Int32? {
        guard let status = control.end() else { return nil }
        close(input)
        close(output)
        return status
    }

    /// How the process has ended, after it has closed its output.
    private func ending() -> ShadowFailure {
        // A process that has closed its output only would never end.
        for _ in 0..<100 where !control.hasEnded {
            if control.wait(until: .now + .milliseconds(10)) == .stopped { return .stopped }
        }
        if control.isStopped { return .stopped }
        guard control.hasEnded, let status = end() else { return .ended(reason: "it has closed its output") }
        let signal = status & 0x7F
        return .ended(reason: "it ended with \(signal == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(signal)")")
    }

    // MARK: Lines

    private func exchange(_ line: [UInt8], until end: ContinuousClock.Instant) throws(ShadowFailure) -> [UInt8] {
        var written = 0
        while written < line.count {
            try wait(for: input, POLLOUT, until: end)
            let count = line[written...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno != EINTR, errno != EAGAIN {
                throw ending()
            }
        }
        return try readLine(until: end)
    }

    private func readLine(until end: ContinuousClock.Instant) throws(ShadowFailure) -> [UInt8] {
        var start = 0
        while true {
            if let position = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<position])
                buffer.removeSubrange(...position)
                return line
            }
            start = buffer.count
            guard start <= Self.maximumLine else { throw .ended(reason: "it prints a line of more than 16 MiB") }
            try wait(for: output, POLLIN, until: end)
            let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { bytes in
                let count = read(output, bytes.baseAddress, bytes.count)
                if count > 0 { buffer += bytes[..<count] }
                return count
            }
            if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { throw ending() }
        }
    }

    private func wait(
        for descriptor: Int32,
        _ events: Int32,
        until end: ContinuousClock.Instant
    ) throws(ShadowFailure) {
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
