internal import Glibc

/// A connected socket. Each call blocks, at most until its deadline.
struct TestSocket: Sendable {
    private let descriptor: Int32

    /// Connects to an address.
    ///
    /// - Parameters:
    ///   - host: the address, as a number.
    ///   - source: the address to connect from, as an IPv4 number; the system's choice unless given.
    init(
        host: String,
        port: UInt16,
        from source: String? = nil,
        deadline: ContinuousClock.Instant
    ) throws(TestClientError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard failure == 0, let address = list?.pointee else { throw .system("getaddrinfo", failure) }
        try self.init(family: address.ai_family, address.ai_addr, address.ai_addrlen, from: source, deadline: deadline)
    }

    /// Connects to a Unix domain socket.
    init(path: String, deadline: ContinuousClock.Instant) throws(TestClientError) {
        guard let address = UnixSocketAddress(path) else { throw .system("sockaddr_un", ENAMETOOLONG) }
        self = try address.withPointer { address, size throws(TestClientError) in
            try TestSocket(family: AF_UNIX, address, size, deadline: deadline)
        }
    }

    /// Takes over a connected, non-blocking socket.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    private init(
        family: Int32,
        _ address: UnsafePointer<sockaddr>?,
        _ size: socklen_t,
        from source: String? = nil,
        deadline: ContinuousClock.Instant
    ) throws(TestClientError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        do throws(TestClientError) {
            // Each write becomes its own segment.
            set(IPPROTO_TCP, TCP_NODELAY)
            if let source { try bind(to: source) }
            try connect(to: address, size, deadline: deadline)
        } catch {
            close()
            throw error
        }
    }

    private func bind(to source: String) throws(TestClientError) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        guard inet_pton(AF_INET, source, &address.sin_addr) == 1 else { throw .system("inet_pton", EINVAL) }
        let isBound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw .system("bind", errno) }
    }

    private func connect(
        to address: UnsafePointer<sockaddr>?,
        _ size: socklen_t,
        deadline: ContinuousClock.Instant
    ) throws(TestClientError) {
        guard Glibc.connect(descriptor, address, size) != 0 else { return }
        if errno == EINPROGRESS {
            guard isReady(for: POLLOUT, until: deadline) else { throw .timedOut }
            var size = socklen_t(MemoryLayout<Int32>.size)
            var number: Int32 = 0
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
            errno = number
        }
        switch errno {
        case 0: return
        case ECONNREFUSED: throw .refused
        case ECONNRESET: throw .reset
        default: throw .system("connect", errno)
        }
    }

    /// Sends all bytes.
    func send(_ bytes: [UInt8], deadline: ContinuousClock.Instant) throws(TestClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest.removeFirst(count)
            } else {
                try wait(for: POLLOUT, until: deadline, call: "send")
            }
        }
    }

    /// The bytes that have arrived; empty at the end of the stream.
    func receive(deadline: ContinuousClock.Instant) throws(TestClientError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count >= 0 { return Array(buffer[..<count]) }
            try wait(for: POLLIN, until: deadline, call: "recv")
        }
    }

    /// Whether bytes, or the end of the stream, arrive before the deadline.
    func isReadable(deadline: ContinuousClock.Instant) -> Bool {
        isReady(for: POLLIN, until: deadline)
    }

    /// Sends the end of the stream.
    func halfClose() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the socket, which may not be used any more.
    func close() {
        Glibc.close(descriptor)
    }

    /// Closes the socket with a reset.
    func abort() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Returns when a failed call can be repeated.
    private func wait(
        for events: Int32,
        until deadline: ContinuousClock.Instant,
        call: String
    ) throws(TestClientError) {
        switch errno {
        case EAGAIN: if !isReady(for: events, until: deadline) { throw .timedOut }
        case EINTR: return
        case EPIPE: throw .closed
        case ECONNRESET: throw .reset
        default: throw .system(call, errno)
        }
    }

    private func isReady(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        var descriptor = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            let count = poll(&descriptor, 1, Int32(max(.zero, left) / .milliseconds(1) + 1))
            if count > 0 { return true }
            if count == 0 && left <= .zero { return false }
        }
    }

    private func set(_ level: Int, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(level), option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
