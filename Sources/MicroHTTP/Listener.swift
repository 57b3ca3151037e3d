internal import CMicroHTTPD
internal import Glibc

/// The sockets that a server listens on: one for each event loop, all on one port.
struct Listener {
    let sockets: [Int32]
    let address: ServerAddress

    /// Binds and listens.
    ///
    /// Sockets that share a port (`SO_REUSEPORT`) let a second process bind the same port without an error. So the first
    /// socket is bound without sharing, which fails where anybody else is there, and allows sharing only afterwards.
    init(host: String, port: UInt16, count: Int) throws(ServerError) {
        var info = try Self.resolve(host: host, port: port)
        var sockets: [Int32] = []
        do throws(ServerError) {
            for _ in 0..<count {
                let socket = try Self.listen(info, host: host, port: port, isFirst: sockets.isEmpty)
                sockets.append(socket)
                if sockets.count == 1 { info = Self.boundAddress(of: socket) ?? info }
            }
        } catch {
            for socket in sockets { close(socket) }
            throw error
        }
        self.sockets = sockets
        address = ServerAddress(info)
    }

    private static func resolve(host: String, port: UInt16) throws(ServerError) -> SocketAddress {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard failure == 0, let first = list?.pointee, let address = first.ai_addr else {
            throw .unknownHost(host, reason: String(cString: gai_strerror(failure)))
        }
        return SocketAddress(copying: address, size: first.ai_addrlen)
    }

    private static func listen(
        _ address: SocketAddress,
        host: String,
        port: UInt16,
        isFirst: Bool
    ) throws(ServerError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(address.family, type, 0)
        guard socket >= 0 else { throw .cannotListen(host: host, port: port, reason: lastError()) }
        set(socket, SO_REUSEADDR)
        if !isFirst { set(socket, SO_REUSEPORT) }
        let isBound = address.withPointer { bind(socket, $0, $1) == 0 }
        if isBound, isFirst { set(socket, SO_REUSEPORT) }
        guard isBound, Glibc.listen(socket, SOMAXCONN) == 0 else {
            let (number, reason) = (errno, lastError())
            close(socket)
            if number == EADDRINUSE { throw .addressInUse(host: host, port: port) }
            throw .cannotListen(host: host, port: port, reason: reason)
        }
        return socket
    }

    private static func set(_ socket: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func boundAddress(of socket: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                getsockname(socket, address, &size) == 0
            else { return nil }
            return SocketAddress(copying: address, size: size)
        }
    }
}

/// A socket address of any family.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private let size: socklen_t

    init(copying address: UnsafePointer<sockaddr>, size: socklen_t) {
        self.size = min(size, socklen_t(MemoryLayout<sockaddr_storage>.size))
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(self.size)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    /// Host and port as numbers.
    var numeric: (host: String, port: UInt16) {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let failure = withPointer {
            getnameinfo(
                $0,
                $1,
                &host,
                socklen_t(host.count),
                &port,
                socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV
            )
        }
        guard failure == 0 else { return ("", 0) }
        return (text(host), UInt16(text(port)) ?? 0)
    }

    private func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// An IP address as a number, one of IPv4 also where it comes as one of IPv6; `nil` for other families.
func numericAddress(_ address: UnsafePointer<sockaddr>) -> String? {
    let size =
        switch Int32(address.pointee.sa_family) {
        case AF_INET: MemoryLayout<sockaddr_in>.size
        case AF_INET6: MemoryLayout<sockaddr_in6>.size
        default: 0
        }
    guard size > 0 else { return nil }
    let host = SocketAddress(copying: address, size: socklen_t(size)).numeric.host
    return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst("::ffff:".count)) : host
}

/// What the last system call of this thread failed of.
func lastError() -> String {
    String(cString: strerror(errno))
}
