internal import CPostgreSQL
internal import Glibc

/// Waits for several sockets with epoll.
final class SocketPoller: Sendable {
    /// A socket that is ready.
    struct Event {
        /// The number with which the socket was added.
        let number: Int
        let isReadable: Bool
        let isWritable: Bool
    }

    private let epoll: Int32

    /// The number of the executor's descriptor, which wakes the thread.
    private static let wakeupNumber = UInt64.max

    init(wakeup: Int32) throws(PostgreSQLError) {
        epoll = epoll_create1(CPostgreSQL_epoll_close_on_exec)
        guard epoll >= 0 else { throw .noDescriptor }
        var event = epoll_event(events: CPostgreSQL_epoll_in, data: epoll_data_t(u64: Self.wakeupNumber))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event)
    }

    deinit {
        close(epoll)
    }

    /// Reports a socket when it is readable, and if requested when it is writable. Replaces what was requested before.
    func watch(_ socket: Int32, number: Int, forReading: Bool = true, forWriting: Bool) {
        let events = (forReading ? CPostgreSQL_epoll_in : 0) | (forWriting ? CPostgreSQL_epoll_out : 0)
        var event = epoll_event(events: events, data: epoll_data_t(u64: UInt64(number)))
        if epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) != 0 { epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) }
    }

    /// Ends the reports about a socket that is still open.
    func forget(_ socket: Int32) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil)
    }

    /// Blocks until a socket is ready or the thread is woken. Errors of a socket count as readable and writable.
    func wait(milliseconds: Int32) -> [Event] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { buffer in
            let count = epoll_wait(epoll, buffer.baseAddress, Int32(buffer.count), milliseconds)
            let failures = CPostgreSQL_epoll_failures
            return buffer.prefix(max(0, Int(count))).filter { $0.data.u64 != Self.wakeupNumber }.map { event in
                Event(
                    number: Int(event.data.u64),
                    isReadable: event.events & (CPostgreSQL_epoll_in | failures) != 0,
                    isWritable: event.events & (CPostgreSQL_epoll_out | failures) != 0
                )
            }
        }
    }
}

extension PostgreSQLError {
    /// The system has no descriptor left, or no memory for one.
    static var noDescriptor: PostgreSQLError {
        .unavailable(reason: "cannot open a descriptor: \(String(cString: strerror(errno)))")
    }
}
