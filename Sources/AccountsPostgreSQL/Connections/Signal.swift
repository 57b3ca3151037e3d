import CPostgreSQL
import Glibc

/// Wakes a thread, which waits for a socket at the same time.
final class Signal: Sendable {
    private let descriptor: Int32

    init() throws(PostgreSQLError) {
        descriptor = eventfd(0, CPostgreSQL_event_flags)
        guard descriptor >= 0 else {
            throw .unavailable(reason: "cannot open a descriptor: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the thread, now or when it waits next.
    func send() {
        var one: UInt64 = 1
        write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Blocks until the signal was sent since the last call, the socket is ready for `events` (`POLLIN`, `POLLOUT` or both) or has an error,
    /// or the time has come. May return earlier.
    func wait(
        for socket: Int32,
        _ events: Int32,
        until time: ContinuousClock.Instant
    ) -> (isSent: Bool, isReady: Bool) {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(events), revents: 0),
        ]
        // Rounded up, so that the time has come when the thread wakes up.
        let duration = max(.zero, time - .now).components
        let limit = min(duration.seconds, 3600) * 1000 + duration.attoseconds / 1_000_000_000_000_000 + 1
        poll(&descriptors, 2, Int32(clamping: limit))
        let isSent = descriptors[0].revents != 0
        if isSent {
            var count: UInt64 = 0
            read(descriptor, &count, MemoryLayout<UInt64>.size)
        }
        return (isSent, descriptors[1].revents != 0)
    }
}
