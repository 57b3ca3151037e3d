internal import Accounts
internal import Glibc

/// A program that reads its standard input, and is killed at a deadline.
///
/// Its output is discarded, because it could contain addresses. It does not get the environment, which could contain passwords.
struct SendmailProcess {
    private static let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
    /// How often it is asked whether the program has ended, in milliseconds.
    private static let interval: Int32 = 10

    private let id: pid_t
    private let deadline: ContinuousClock.Instant
    private let cancellation: MailCancellation

    /// Runs a program, and returns its status.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the program.
    ///   - input: its standard input.
    static func run(
        _ path: String,
        _ arguments: [String],
        input: [UInt8],
        until deadline: ContinuousClock.Instant,
        _ cancellation: MailCancellation
    ) throws(MailError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let process: SendmailProcess
        do throws(MailError) {
            defer { close(ends[0]) }
            let id = try spawn(path, arguments, reading: ends[0])
            process = SendmailProcess(id: id, deadline: deadline, cancellation: cancellation)
        } catch {
            close(ends[1])
            throw error
        }
        let hasRead = try process.write(input, to: ends[1])
        let status = try process.wait()
        guard status & 0x7F == 0 else { throw .temporary("the program for mails ends with signal \(status & 0x7F)") }
        if status == 0, !hasRead { throw .temporary("the program for mails has not read the mail") }
        return status >> 8 & 0xFF
    }

    private static func spawn(_ program: String, _ arguments: [String], reading input: Int32) throws(MailError) -> pid_t
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        // A library may have opened a file without O_CLOEXEC.
        guard let closeFrom else { throw failure(ENOSYS) }
        _ = closeFrom(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The server ignores SIGPIPE, and this thread blocks it.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own, so that its children end with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
        )
        let words = ([program] + arguments).map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for word in words + variables { free(word) } }
        var id = pid_t()
        let code = posix_spawn(&id, program, &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else { throw failure(code) }
        return id
    }

    /// Writes to the pipe, and closes it. Returns `false` if the program has closed its end before it has read everything.
    private func write(_ bytes: [UInt8], to pipe: Int32) throws(MailError) -> Bool {
        defer { close(pipe) }
        var position = 0
        while position < bytes.count {
            let count = bytes[position...].withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
            if count > 0 {
                position += count
            } else if errno == EAGAIN {
                var descriptor = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
                poll(&descriptor, 1, Self.interval)
                try checkDeadline()
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private func wait() throws(MailError) -> Int32 {
        var status: Int32 = 0
        while true {
            let result = waitpid(id, &status, WNOHANG)
            if result == id { return status }
            if result < 0, errno != EINTR { throw Self.failure(errno) }
            poll(nil, 0, Self.interval)
            try checkDeadline()
        }
    }

    /// Kills the program after the deadline or a cancellation.
    private func checkDeadline() throws(MailError) {
        let isCancelled = cancellation.isCancelled
        guard isCancelled || ContinuousClock.now >= deadline else { return }
        kill(-id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
        throw isCancelled ? MailCancellation.error : .temporary("the program for mails takes too long")
    }

    private static func failure(_ code: Int32) -> MailError {
        .temporary("the program for mails cannot be run: \(String(cString: strerror(code)))")
    }
}

/// A function of glibc that its headers declare only with `_GNU_SOURCE`.
private let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}
