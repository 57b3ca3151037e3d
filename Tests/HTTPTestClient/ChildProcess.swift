internal import Glibc
internal import Synchronization

/// A program that runs in its own process.
///
/// Not Foundation's Process: it reads past the end of its list of open files, and sometimes crashes the tests.
public final class ChildProcess: Sendable {
    /// How it ended.
    public enum Ending: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    struct State {
        var ending: Ending?
        var waiting: [CheckedContinuation<Ending, Never>] = []
    }

    /// The process's number while it runs.
    public let id: Int32
    let state = Mutex(State())

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - environment: its environment; the environment of the tests unless given.
    ///   - input: the descriptor of its standard input; nothing unless given.
    ///   - output: the descriptor of its standard output; discarded unless given.
    ///   - errors: the descriptor of its standard error; discarded unless given.
    /// - Throws: ``TestClientError``.
    public init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String]? = nil,
        input: Int32? = nil,
        output: Int32? = nil,
        errors: Int32? = nil
    ) throws(TestClientError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        guard let closeFrom else { throw .system("posix_spawn_file_actions_addclosefrom_np", ENOSYS) }
        _ = closeFrom(&actions, 3)
        // Tests may ignore or block a signal.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment?.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in words + (variables ?? []) { free(word) } }
        var id = pid_t()
        let failure =
            if let variables {
                posix_spawn(&id, path, &actions, &attributes, words + [nil], variables + [nil])
            } else {
                posix_spawn(&id, path, &actions, &attributes, words + [nil], environ)
            }
        guard failure == 0 else { throw .system("posix_spawn", failure) }
        self.id = id
        startThread { self.wait() }
    }

    /// Sends a signal, unless the process has ended.
    public func send(_ signal: Int32) { state.withLock { if $0.ending == nil { kill(id, signal) } } }

    /// Waits for the end of the process, and returns how it ended.
    public func end() async -> Ending {
        await withCheckedContinuation { continuation in
            let ending = state.withLock { state in
                if state.ending == nil { state.waiting.append(continuation) }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }

    func wait() {
        // Reaps the process only when no task can send it a signal any more, because another process may get its number.
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let (ending, waiting) = state.withLock { state in
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0 && errno == EINTR {}
            let ending = status & 0x7F == 0 ? Ending.exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
            state.ending = ending
            defer { state.waiting = [] }
            return (ending, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: ending) }
    }
}

/// A function of glibc that its headers declare only with `_GNU_SOURCE`.
private let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}
