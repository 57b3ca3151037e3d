import Glibc
import Synchronization

/// Stops a process and the thread that waits for it from another thread, so that no process outlives the server.
final class StepControl: Sendable {
    private struct State {
        var isStopped = false
        /// The process while it can be killed, which leads a group.
        var process: pid_t?
    }

    private let state = Mutex(State())
    /// Becomes readable at the stop, and stays so.
    private let reading: Int32
    private let writing: Int32

    /// - Throws: ``CommandError`` if the process can open no more files.
    init() throws(CommandError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandError("No pipe can be created: \(String(cString: strerror(errno))).", status: 71)
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Ends all waits, including later ones, and kills the process with its group.
    func stop() {
        // First, so that the thread does not mistake the end of the process for a failure.
        _ = write(writing, "s", 1)
        state.withLock { state in
            state.isStopped = true
            if let process = state.process { kill(-process, SIGKILL) }
        }
    }

    /// Starts the process, unless the thread must stop.
    ///
    /// - Parameter spawn: returns its number, or throws an error of the system.
    func start(_ spawn: () throws(StepFailure) -> pid_t) throws(StepFailure) {
        // The body of a lock cannot throw this type without a cast.
        let result = state.withLock { state -> Result<Void, StepFailure> in
            if state.isStopped { return .failure(.stopped) }
            do throws(StepFailure) {
                state.process = try spawn()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Whether ``stop()`` has been called.
    var isStopped: Bool { wait(until: .now) == .stopped }

    /// Whether the process has ended, and only waits for ``end()``.
    var hasEnded: Bool {
        state.withLock { state in
            guard let process = state.process else { return true }
            var information = siginfo_t()
            let result = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
            return result == 0 && information.si_signo == SIGCHLD
        }
    }

    /// How a process has ended.
    struct Ending {
        /// As `waitpid` returns it.
        let status: Int32

        /// The signal that has ended it; `nil` if it has exited.
        var signal: Int32? { status & 0x7F == 0 ? nil : status & 0x7F }
        /// The status with which it has exited, if no signal has ended it.
        var exitStatus: Int32 { status >> 8 & 0xFF }
    }

    /// Kills the process with its group, because a script may have started the program, and returns how it has ended; `nil` without a
    /// process.
    func end() -> Ending? {
        state.withLock { state in
            guard let process = state.process else { return nil }
            kill(-process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            // Only now, another process can have its number.
            state.process = nil
            return Ending(status: status)
        }
    }

    /// What a wait has ended with.
    enum Outcome {
        case ready, timeout, stopped
    }

    /// Waits until a descriptor can be read or written, for a time or until ``stop()``.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor; -1 to wait for the time only.
    ///   - events: `POLLIN` or `POLLOUT`.
    func wait(for descriptor: Int32 = -1, _ events: Int32 = POLLIN, until end: ContinuousClock.Instant) -> Outcome {
        while true {
            let rest = ContinuousClock.now.duration(to: end)
            // Rounded up, because a wait of 0 ms would repeat until the end.
            let milliseconds = max(0, min(Int32.max / 2, Int32(clamping: Int64(rest / .milliseconds(1)) + 1)))
            var descriptors = [
                pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(events), revents: 0),
            ]
            let count = poll(&descriptors, 2, rest > .zero ? milliseconds : 0)
            if count < 0, errno == EINTR { continue }
            if descriptors[0].revents != 0 { return .stopped }
            if descriptors[1].revents != 0 { return .ready }
            if ContinuousClock.now >= end { return .timeout }
        }
    }
}
