import Glibc

/// Lets a thread stop waiting for a descriptor or a time.
final class StopSignal: Sendable {
    /// Becomes readable, and stays so.
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

    /// Ends all waits, including later ones.
    func set() {
        _ = write(writing, "s", 1)
    }

    /// What a wait has ended with.
    enum Outcome {
        case ready, timeout, stopped
    }

    /// Waits until a descriptor can be read or written, for a time or until ``set()``.
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
