import CMicroHTTPD
import Glibc

/// One socket for each event loop, all with the same address.
struct Listener {
    let sockets: [Int32]
    let address: ServerAddress
    /// The server removes it when it stops.
    var file: SocketFile?
    /// Whether another process continues to listen after the server has stopped.
    var isHandedOver = false

    init(_ configuration: ServerConfiguration) throws(ServerError) {
        switch configuration.address {
        case nil:
            try self.init(host: configuration.host, port: configuration.port, count: configuration.loops)
        case .unixSocket(let path, let mode):
            try self.init(path: path, mode: mode, count: configuration.loops)
        case .handedOver(let descriptor):
            try self.init(handedOver: descriptor, count: configuration.loops)
        }
    }

    /// If sockets share a port (`SO_REUSEPORT`), a second process can bind the same port without an error. So this binds the first socket
    /// without sharing, which fails if another process uses the port, and allows sharing only afterwards.
    init(host: String, port: UInt16, count: Int) throws(ServerError) {
        var info = try Self.resolve(host: host, port: port)
        var sockets: [Int32] = []
        do throws(ServerError) {
            for _ in 0..<count {
                let socket = try Self.listen(info, host: host, port: port, isFirst: sockets.isEmpty)
                sockets.append(socket)
                if sockets.count == 1 { info = SocketAddress(of: socket) ?? info }
            }
        } catch {
            for socket in sockets { close(socket) }
            throw error
        }
        self.sockets = sockets
        address = ServerAddress(info)
    }

    /// Unix domain sockets do not support `SO_REUSEPORT`, so all event loops accept from the same socket.
    private init(path: String, mode: UInt32, count: Int) throws(ServerError) {
        let (socket, file) = try SocketFile.listen(at: path, mode: mode)
        guard let sockets = Self.share(socket, among: count) else {
            file.remove()
            throw .cannotStart(reason: lastError())
        }
        self.sockets = sockets
        self.file = file
        address = ServerAddress(path: path)
    }

    private init(handedOver socket: Int32, count: Int) throws(ServerError) {
        guard Self.value(of: SO_ACCEPTCONN, socket) == 1,
            Self.value(of: SO_TYPE, socket) == Int32(SOCK_STREAM.rawValue),
            let bound = SocketAddress(of: socket), [AF_INET, AF_INET6, AF_UNIX].contains(bound.family)
        else {
            close(socket)
            throw .cannotTake(descriptor: socket)
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        guard let sockets = Self.share(socket, among: count) else { throw .cannotStart(reason: lastError()) }
        self.sockets = sockets
        isHandedOver = true
        address = ServerAddress(bound)
    }

    private static func value(of option: Int32, _ socket: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
    }

    /// Returns `count` descriptors of a socket, the given one first. If the process has too few descriptors, closes the socket, sets
    /// `errno` and returns `nil`.
    private static func share(_ socket: Int32, among count: Int) -> [Int32]? {
        var sockets = [socket]
        while sockets.count < count {
            let copy = fcntl(socket, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else {
                let number = errno
                for socket in sockets { close(socket) }
                errno = number
                return nil
            }
            sockets.append(copy)
        }
        limitUnsent(socket)
        return sockets
    }

    fileprivate static func resolve(host: String, port: UInt16) throws(ServerError) -> SocketAddress {
        // It would mean all addresses.
        if host.isEmpty { throw .unknownHost(host, reason: "it is empty") }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard failure == 0, let first = list?.pointee, let address = first.ai_addr else {
            throw .unknownHost(host, reason: String(cString: gai_strerror(failure)))
        }
        return SocketAddress(copying: address, size: first.ai_addrlen)
    }

    fileprivate static func listen(
        _ address: SocketAddress,
        host: String,
        port: UInt16,
        isFirst: Bool
    ) throws(ServerError) -> Int32 {
        let socket = address.openSocket()
        guard socket >= 0 else { throw .cannotListen(host: host, port: port, reason: lastError()) }
        set(socket, SO_REUSEADDR)
        if !isFirst { set(socket, SO_REUSEPORT) }
        let isBound = address.withPointer { bind(socket, $0, $1) == 0 }
        if isBound, isFirst { set(socket, SO_REUSEPORT) }
        limitUnsent(socket)
        guard isBound, Glibc.listen(socket, SOMAXCONN) == 0 else {
            let (number, reason) = (errno, lastError())
            close(socket)
            if number == EADDRINUSE { throw .addressInUse(host: host, port: port) }
            throw .cannotListen(host: host, port: port, reason: reason)
        }
        return socket
    }

    /// By default, the system keeps megabytes for a client that does not read.
    private static func limitUnsent(_ socket: Int32) {
        var size: Int32 = 64 * 1024
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func set(_ socket: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}

extension ServerConfiguration {
    /// Checks that a server can listen on the host, without its port, which a server may use.
    package func checkHost() throws(ServerError) {
        guard address == nil else { return }
        close(try Listener.listen(Listener.resolve(host: host, port: 0), host: host, port: port, isFirst: true))
    }
}

/// Where a server listens.
public struct ServerAddress: Equatable, Sendable, CustomStringConvertible {
    /// The IP address as text; empty for a Unix domain socket.
    public let host: String
    /// The port; 0 for a Unix domain socket.
    public let port: UInt16
    /// The path of a Unix domain socket; `nil` if the server listens on a port.
    public let path: String?

    init(_ address: SocketAddress) {
        path = address.path
        (host, port) = path == nil ? address.numeric : ("", 0)
    }

    init(path: String) {
        (host, port) = ("", 0)
        self.path = path
    }

    /// `127.0.0.1:8080`, `[::1]:8080`, or `unix:/run/understudy.sock`.
    public var description: String {
        if let path { return "unix:\(path)" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
