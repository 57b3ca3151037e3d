import Glibc
import HTTPMessages
import MicroHTTP

/// Sends requests to a server, each on a connection of its own. A complete HTTP client would make the executable larger.
struct HTTPClient {
    /// The address of the server.
    enum Target: CustomStringConvertible {
        case port(host: String, UInt16)
        case socket(path: String)

        init(host: String, port: UInt16, path: String?) {
            self = path.map { .socket(path: $0) } ?? .port(host: host, port)
        }

        var description: String {
            switch self {
            case .port(let host, let port): "\(host) port \(port)"
            case .socket(let path): "socket '\(path)'"
            }
        }

        /// The host for the header `Host`: an IPv6 address in brackets and without its zone, and `localhost` for any name,
        /// because every server accepts that.
        fileprivate var authority: String {
            guard case .port(let host, _) = self else { return "localhost" }
            if host.utf8.contains(UInt8(ascii: ":")) { return "[\(host.prefix { $0 != "%" })]" }
            return host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } ? host : "localhost"
        }
    }

    let target: Target
    let isEncrypted: Bool
    let timeout: Duration
    /// To whose processes on this machine a request may go; `nil` for those of all users.
    var trustedUsers: Set<uid_t>?

    /// The reason why there is no response.
    struct Failure: Error {
        let reason: String
    }

    /// Returns if the server responds to `GET /livez` with 200.
    ///
    /// - Throws: ``Failure`` for any other response, or without a response within the timeout.
    func checkHealth() throws(Failure) {
        let socket = try connect()
        defer { close(socket) }
        let request = request("GET", "/livez")
        let response = try isEncrypted ? sendEncrypted(request, on: socket) : send(request, on: socket)
        guard !response.isEmpty else { throw Failure(reason: "it closed the connection without a response") }
        let status = String(decoding: response.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard status.hasPrefix("HTTP/1.1 200") else { throw Failure(reason: "it responded with '\(status)'") }
    }

    /// The response to a request without TLS.
    ///
    /// - Throws: ``Failure`` without a response within the timeout, or if it is not one of HTTP.
    func send(
        _ method: String,
        _ path: String,
        headers: [String] = [],
        body: [UInt8] = []
    ) throws(Failure) -> (status: Int, body: String) {
        let socket = try connect()
        defer { close(socket) }
        var response = try send(request(method, path, headers, body), on: socket)
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while response.count < Self.maximumSize {
            let received = recv(socket, &part, part.count, 0)
            guard received >= 0 else { throw lastFailure() }
            if received == 0 { break }
            response += part[..<received]
        }
        let text = String(decoding: response, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 "), let status = Int(text.dropFirst(9).prefix(3)),
            let end = text.firstRange(of: "\r\n\r\n")
        else { throw Failure(reason: "it is not an HTTP server") }
        return (status, String(text[end.upperBound...]))
    }

    /// The maximum size of a response, in bytes.
    private static let maximumSize = 16 << 20

    private func request(
        _ method: String,
        _ path: String,
        _ headers: [String] = [],
        _ body: [UInt8] = []
    ) -> [UInt8] {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.count)"]
        let lines = ["\(method) \(path) HTTP/1.1", "Host: \(target.authority)", "Connection: close"] + headers + length
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    /// Returns the beginning of the response.
    private func send(_ request: [UInt8], on socket: Int32) throws(Failure) -> [UInt8] {
        guard Glibc.send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw lastFailure()
        }
        var response = [UInt8](repeating: 0, count: 64)
        let received = recv(socket, &response, response.count, Int32(MSG_WAITALL))
        guard received >= 0 else { throw lastFailure() }
        return Array(response[..<received])
    }

    private func sendEncrypted(_ request: [UInt8], on socket: Int32) throws(Failure) -> [UInt8] {
        do {
            return try TLSProbe.ask(socket: socket, request, receiving: 64)
        } catch {
            throw Failure(reason: error.isTimeout ? Self.timedOut : error.reason)
        }
    }

    private static let timedOut = "no response in time"

    private func connect() throws(Failure) -> Int32 {
        switch target {
        case .port(let host, let port): try connect(host: host, port: port)
        case .socket(let path): try connect(path: path)
        }
    }

    private func connect(host: String, port: UInt16) throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &list)
        guard failure == 0 else { throw Failure(reason: String(cString: gai_strerror(failure))) }
        defer { freeaddrinfo(list) }
        var last = Failure(reason: "no address")
        var next = list
        while let candidate = next?.pointee {
            do throws(Failure) {
                let socket = try connect(family: candidate.ai_family) {
                    Glibc.connect($0, candidate.ai_addr, candidate.ai_addrlen) == 0
                }
                do throws(Failure) {
                    try requireTrustedListener(of: socket, port)
                } catch {
                    close(socket)
                    throw error
                }
                return socket
            } catch {
                last = error
            }
            next = candidate.ai_next
        }
        throw last
    }

    /// Throws if a process of this machine listens on the port of a socket's other end, and its user is not trusted or not known.
    ///
    /// After the connection, so that a process that begins to listen later cannot get it.
    private func requireTrustedListener(of socket: Int32, _ port: UInt16) throws(Failure) {
        guard let trustedUsers else { return }
        let (own, peer) = (Self.address(of: socket, getsockname), Self.address(of: socket, getpeername))
        guard own == peer || peer.hasPrefix("127.") || peer.hasPrefix("::ffff:127.") else { return }
        let users = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { KernelFile.text($0) }
            .flatMap { Self.listeners(on: port, in: $0) }
        if let fault = Self.fault(of: users, trusted: trustedUsers) { throw fault }
    }

    /// Why a token is not sent to a process of one of these users; `nil` if all are trusted.
    static func fault(of users: [uid_t], trusted: Set<uid_t>) -> Failure? {
        if users.isEmpty {
            return Failure(
                reason: "the system does not report which user's process listens there, and it gets no token"
            )
        }
        return users.first { !trusted.contains($0) }.map {
            Failure(reason: "a process of the user with the ID \($0) listens there, and gets no token")
        }
    }

    /// The users whose processes listen on a port, according to `/proc/net/tcp`.
    static func listeners(on port: UInt16, in table: String) -> [uid_t] {
        table.split(separator: "\n").compactMap { line in
            // The number, the own address, that of the peer, the state (0A is listening), two queues and timers, and the user.
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[3] == "0A", UInt16(fields[1].suffix(4), radix: 16) == port else {
                return nil
            }
            return uid_t(fields[7])
        }
    }

    /// The address of an end of a socket.
    private static func address(
        of socket: Int32,
        _ end: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> String {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard end(socket, address, &size) == 0 else { return "" }
                getnameinfo(address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
    }

    private func connect(path: String) throws(Failure) -> Int32 {
        guard let address = SocketAddress(path: path) else { throw Failure(reason: "the path is empty or too long") }
        return try connect(family: AF_UNIX) { address.connect($0) }
    }

    private func connect(family: Int32, _ connect: (Int32) -> Bool) throws(Failure) -> Int32 {
        let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
        let (seconds, attoseconds) = timeout.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(socket) else {
            let failure = lastFailure()
            close(socket)
            throw failure
        }
        return socket
    }

    private func lastFailure() -> Failure {
        Failure(
            reason: errno == EAGAIN || errno == EINPROGRESS ? Self.timedOut : String(cString: strerror(errno))
        )
    }
}
