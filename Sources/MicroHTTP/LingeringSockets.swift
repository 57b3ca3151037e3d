import CMicroHTTPD
import Glibc

/// Reads and discards what clients still send after their request was rejected, so that closing the socket does not reset the
/// connection and take the response away from them.
///
/// Not thread-safe: each event loop has its own.
final class LingeringSockets {
    private struct Entry {
        let socket: Int32
        let deadline: UInt64
        let permit: ConnectionLimit.Permit?
    }

    private var entries: [Entry] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: LingeringSockets.bufferSize, alignment: 16)

    /// In bytes, of one read.
    static let bufferSize = 16 * 1024
    /// How many bytes one sweep may read, over all sockets: about a millisecond of copying.
    static let sweepBudget = 4 << 20
    /// In bytes.
    static let socketBudget = 256 * 1024
    /// A read counts for at least so many bytes, so that many sockets with few bytes each use up the budget of a sweep.
    static let leastCost = 2 * 1024

    deinit {
        closeAll()
        buffer.deallocate()
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Takes over a socket, which it closes at the deadline at the latest, in milliseconds of the loop's clock. Closing it returns the permit.
    func add(_ socket: Int32, until deadline: UInt64, permit: ConnectionLimit.Permit?) {
        entries.append(Entry(socket: socket, deadline: deadline, permit: permit))
    }

    /// Reads what has arrived, and closes each socket that its client has closed or whose deadline has passed. `now` is in milliseconds of the loop's
    /// clock.
    ///
    /// - Parameter budget: the number of bytes to read at most, if each read counts for at least ``leastCost``.
    /// - Returns: the number of bytes read.
    @discardableResult
    func sweep(now: UInt64, budget: Int = LingeringSockets.sweepBudget) -> Int {
        var (received, cost) = (0, 0)
        var unread = entries[...]
        var kept: [Entry] = []
        while cost < budget, let entry = unread.popFirst() {
            let result = drain(entry.socket, budget: min(Self.socketBudget, budget - cost))
            received += result.received
            cost += result.cost
            if result.isClosed { close(entry.socket) } else { kept.append(entry) }
        }
        // The next sweep begins with the sockets that this one has not read, so that they do not wait for busy ones.
        entries = unread + kept
        for entry in entries where entry.deadline <= now { close(entry.socket) }
        entries.removeAll { $0.deadline <= now }
        return received
    }

    /// Ends when nothing more has arrived, the client has closed the socket, or the budget is used up.
    private func drain(_ socket: Int32, budget: Int) -> (received: Int, cost: Int, isClosed: Bool) {
        var (received, cost) = (0, 0)
        while cost < budget {
            let size = recv(socket, buffer.baseAddress, min(buffer.count, budget - cost), Int32(MSG_DONTWAIT))
            cost += max(size, Self.leastCost)
            // An error other than "nothing has arrived" also means that nothing will.
            if size == 0 || size < 0 && errno != EAGAIN && errno != EINTR { return (received, cost, true) }
            guard size > 0 else { break }
            received += size
        }
        return (received, cost, false)
    }

    func closeAll() {
        for entry in exchange(&entries, with: []) { close(entry.socket) }
    }
}
