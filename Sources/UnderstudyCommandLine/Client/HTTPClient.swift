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

    /// The reason why there is no response.
    struct Failure: Error {
        let reason: String
    }

    /// Returns if the server responds to `GET /livez` with 200.
    ///
    /// - Throws: ``Failure`` for any other response, or without a response within the timeout.
    func checkHealth() throws(Failure) {
        let response = try response(to: "/livez")
        guard !response.isEmpty else { throw Failure(reason: "it closed the connection without a response") }
        let status = String(decoding: response.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard status.hasPrefix("HTTP/1.1 200") else { throw Failure(reason: "it responded with '\(status)'") }
    }

    /// The response to `GET` without TLS.
    ///
    /// - Throws: ``Failure`` without a response within the timeout, or if it is not one of HTTP.
    func get(_ path: String) throws(Failure) -> (status: Int, body: String) {
        let text = String(decoding: try response(to: path), as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), let status = Int(text.dropFirst(9).prefix(3)),
            let end = text.firstRange(of: "\r\n\r\n")
        else { throw Failure(reason: "it is not an HTTP server") }
        return (status, String(text[end.upperBound...]))
    }

    /// The maximum size of a response, in bytes.
    private static let maximumSize = 16 << 20

    /// The whole response to `GET`; of one with TLS, the beginning.
    private func response(to path: String) throws(Failure) -> [UInt8] {
        let socket = try connect()
        defer { close(socket) }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(target.authority)\r\nConnection: close\r\n\r\n".utf8)
        do throws(TLSProbe.Failure) {
            if isEncrypted { return try TLSProbe.ask(socket: socket, request, receiving: 64) }
        } catch {
            throw Failure(reason: error.isTimeout ? Self.timedOut : error.reason)
        }
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw lastFailure() }
        var response: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while response.count < Self.maximumSize {
            let received = recv(socket, &part, part.count, 0)
            // A server that keeps the connection open has responded as well.
            if received < 0, response.isEmpty { throw lastFailure() }
            if received <= 0 { break }
            response += part[..<received]
        }
        return response
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
                return try connect(family: candidate.ai_family) {
                    Glibc.connect($0, candidate.ai_addr, candidate.ai_addrlen) == 0
                }
            } catch {
                last = error
            }
            next = candidate.ai_next
        }
        throw last
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
