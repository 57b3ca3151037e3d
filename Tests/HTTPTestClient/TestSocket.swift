internal import Glibc

/// A connected socket. Each call blocks until something happens, for four minutes at most: longer than a loaded machine
/// suspends a server.
struct TestSocket: Sendable {
    let descriptor: Int32

    /// Connects to an address.
    ///
    /// - Parameters:
    ///   - host: the address, as a number.
    ///   - source: the address to connect from, as an IPv4 number; the system's choice unless given.
    init(host: String, port: UInt16, from source: String?) throws(TestClientError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard failure == 0, let address = list?.pointee else { throw .system("getaddrinfo", failure) }
        try self.init(family: address.ai_family, address.ai_addr, address.ai_addrlen, from: source)
    }

    /// Connects to a Unix domain socket.
    init(path: String) throws(TestClientError) {
        guard let address = UnixSocketAddress(path) else { throw .system("sockaddr_un", ENAMETOOLONG) }
        self = try address.withPointer { address, size throws(TestClientError) in
            try TestSocket(family: AF_UNIX, address, size)
        }
    }

    /// Takes over a socket.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        let time = timeval(tv_sec: 240, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] { set(SOL_SOCKET, option, time) }
    }

    private init(
        family: Int32,
        _ address: UnsafePointer<sockaddr>?,
        _ size: socklen_t,
        from source: String? = nil
    ) throws(TestClientError) {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        self.init(descriptor: descriptor)
        do throws(TestClientError) {
            // Each write becomes its own segment.
            set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
            if let source { try bind(to: source) }
            while Glibc.connect(descriptor, address, size) != 0 { try requireRetry(of: "connect") }
        } catch {
            close()
            throw error
        }
    }

    func bind(to source: String) throws(TestClientError) {
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

    /// Sends all bytes.
    func send(_ bytes: [UInt8]) throws(TestClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count >= 0 { rest.removeFirst(count) } else { try requireRetry(of: "send") }
        }
    }

    /// The bytes that have arrived; empty at the end of the stream.
    func receive() throws(TestClientError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count >= 0 { return Array(buffer[..<count]) }
            try requireRetry(of: "recv")
        }
    }

    /// Whether bytes, or the end of the stream, arrive within that duration.
    func isReadable(within duration: Duration) -> Bool {
        var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, Int32(duration / .milliseconds(1))) > 0
    }

    /// Sends the end of the stream.
    func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the socket, which may not be used any more.
    func close() { Glibc.close(descriptor) }

    /// Closes the socket with a reset.
    func abort() {
        set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close()
    }

    /// Throws why a call has failed, unless a signal has interrupted it.
    func requireRetry(of call: String) throws(TestClientError) {
        switch errno {
        case EINTR: return
        case EAGAIN, EINPROGRESS: throw .timedOut
        case ECONNREFUSED: throw .refused
        case EPIPE: throw .closed
        case ECONNRESET: throw .reset
        default: throw .system(call, errno)
        }
    }

    func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) {
        withUnsafeBytes(of: value) { _ = setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) }
    }
}
