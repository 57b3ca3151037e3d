import Glibc

@testable import MicroHTTP

struct LingeringSocketsTests {
    let sockets = LingeringSockets()

    func add(_ pair: Pair, until deadline: UInt64 = 10) { sockets.add(pair.server, until: deadline, permit: nil) }

    /// Two connected sockets. The second one does not block.
    final class Pair {
        let client: Int32
        let server: Int32

        init(sending count: Int = 0) throws {
            var sockets: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &sockets) == 0)
            (client, server) = (sockets[0], sockets[1])
            var size: Int32 = 4 << 20
            setsockopt(client, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            var left = count
            while left > 0 {
                let sent = send(client, [UInt8](repeating: 0, count: left), min(left, 4096), Int32(MSG_NOSIGNAL))
                try #require(sent > 0)
                left -= sent
            }
        }

        deinit { close(client) }

        /// Whether the other end has been closed.
        var isServerClosed: Bool {
            var byte: UInt8 = 0
            return recv(client, &byte, 1, 0) == 0
        }
    }

    @Test func `one sweep reads everything that has arrived`() throws {
        let pair = try Pair(sending: 100_000)
        add(pair)
        #expect(sockets.sweep(now: 0) == 100_000)
        #expect(sockets.count == 1)
    }

    @Test func `a sweep reads at most its budget, and the next sweep continues with the next socket`() throws {
        let (one, other) = (try Pair(sending: 100_000), try Pair(sending: 100_000))
        add(one)
        add(other)
        #expect(sockets.sweep(now: 0, budget: 64 * 1024) == 64 * 1024)
        shutdown(other.client, Int32(SHUT_WR))
        // The other socket has 100,000 bytes and then its end.
        #expect(sockets.sweep(now: 1, budget: 110_000) > 64 * 1024)
        #expect(sockets.count == 1)
        #expect(other.isServerClosed)
    }

    @Test func `sockets with few bytes also use up the budget`() throws {
        let pairs = try (0..<16).map { _ in try Pair(sending: 1) }
        for pair in pairs { add(pair) }
        // Each socket takes two reads: one for the byte, and one that finds nothing more.
        #expect(sockets.sweep(now: 0, budget: 8 * LingeringSockets.leastCost) == 4)
        #expect(sockets.sweep(now: 0, budget: 24 * LingeringSockets.leastCost) == 12)
        withExtendedLifetime(pairs) {}
    }

    @Test func `a socket is closed when its client has closed it, and at its deadline`() throws {
        let (closed, late) = (try Pair(), try Pair())
        add(closed, until: 100)
        add(late)
        shutdown(closed.client, Int32(SHUT_WR))
        sockets.sweep(now: 9)
        #expect(closed.isServerClosed)
        #expect(sockets.count == 1)
        sockets.sweep(now: 10)
        #expect(late.isServerClosed)
        #expect(sockets.isEmpty)
    }
}
