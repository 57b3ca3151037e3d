internal import CMicroHTTPD
internal import Glibc

/// Reads and discards what clients still send after their request was rejected, so that closing the socket does not reset the
/// connection and take the response away from them.
///
/// Not thread-safe: each event loop has its own.
final class LingeringSockets {
    /// A socket whose client may still send, and when the loop stops reading from it.
    private struct Entry {
        let socket: Int32
        let deadline: UInt64
        let permit: ConnectionLimit.Permit?
    }

    private var entries: [Entry] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: LingeringSockets.bufferSize, alignment: 16)
    /// Where the next sweep begins, so that the others do not wait for busy sockets at the front.
    private var next = 0

    /// How many bytes one read takes.
    static let bufferSize = 16 * 1024
    /// How many bytes one sweep may read, over all sockets: about a millisecond of copying.
    static let sweepBudget = 4 << 20
    /// How many bytes one sweep may read from one socket.
    static let socketBudget = 256 * 1024
    /// The number of bytes that a read counts for at least, so that many sockets with few bytes each use up the budget of a sweep.
    static let leastCost = 2 * 1024

    deinit {
        for entry in entries { close(entry.socket) }
        buffer.deallocate()
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Takes over a socket.
    ///
    /// - Parameters:
    ///   - deadline: when the loop closes it at the latest, in milliseconds of the loop's clock.
    ///   - permit: returned when the socket is closed.
    func add(_ socket: Int32, until deadline: UInt64, permit: ConnectionLimit.Permit?) {
        entries.append(Entry(socket: socket, deadline: deadline, permit: permit))
    }

    /// Reads what has arrived, and closes each socket that its client has closed or whose deadline has passed.
    ///
    /// - Parameters:
    ///   - now: the time, in milliseconds of the loop's clock.
    ///   - budget: the number of bytes to read at most, if each read counts for at least ``leastCost``.
    /// - Returns: the number of bytes read.
    @discardableResult
    func sweep(now: UInt64, budget: Int = LingeringSockets.sweepBudget) -> Int {
        var (received, cost) = (0, 0)
        let count = entries.count
        var index = next < count ? next : 0
        var closed = [Bool](repeating: false, count: count)
        for _ in 0..<count where cost < budget {
            let result = drain(entries[index].socket, budget: min(Self.socketBudget, budget - cost))
            received += result.received
            cost += result.cost
            closed[index] = result.isClosed
            index = index + 1 < count ? index + 1 : 0
        }
        next = index
        guard count > 0 else { return 0 }
        var kept: [Entry] = []
        for (position, entry) in entries.enumerated() {
            if closed[position] || entry.deadline <= now {
                close(entry.socket)
                if position < index { next -= 1 }
            } else {
                kept.append(entry)
            }
        }
        entries = kept
        return received
    }

    /// Reads from one socket until nothing more has arrived, its client has closed it, or the budget is used up.
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

    /// Closes all sockets.
    func closeAll() {
        for entry in entries { close(entry.socket) }
        entries = []
        next = 0
    }
}
