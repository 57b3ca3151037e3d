import ArgumentParser
import Glibc
import MicroHTTP

/// `understudy healthcheck`.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a running server whether it is alive: exit 0 if it is, 1 if not.",
        discussion: """
            Host, port and socket are also taken from UNDERSTUDY_HOST, UNDERSTUDY_PORT, UNDERSTUDY_SOCKET and the \
            configuration file, and whether to ask over TLS from UNDERSTUDY_TLS_CERTIFICATE.
            """
    )

    @Option(help: "The address or host name to ask. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to ask. (default: 8080)")
    var port: UInt16?

    @Option(help: "The path of the Unix domain socket to ask on, instead of host and port.")
    var socket: String?

    @Flag(help: "Ask over TLS, whatever the certificate. So it does where settings name one.")
    var tls = false

    @OptionGroup
    var configuration: ConfigurationOptions

    @Option(help: "How long to wait for the answer. (default: 3s)")
    var timeout: TimeSpan?

    func run() async throws {
        let settings = try await configuration.settings()
        let target = try HealthProbe.Target(
            host: settings.value(host, Settings.host),
            port: settings.value(port, Settings.port),
            path: settings.socketPath(socket, orHost: host, port: port)
        )
        let isEncrypted = try settings.value(nil, Settings.tlsCertificate) != nil || tls
        let timeout = timeout?.duration ?? .seconds(3)
        guard timeout > .zero else { throw ValidationError("'--timeout' has to be longer than nothing.") }
        let probe = HealthProbe(target: target, isEncrypted: isEncrypted, timeout: timeout)
        do {
            try probe.run()
        } catch {
            Terminal.printError("\(target): \(error.reason)")
            throw ExitCode(1)
        }
    }
}

/// One `GET /livez`. A whole HTTP client would weigh more than the server.
struct HealthProbe {
    /// Where to ask.
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

        /// The host as it stands in a header: an address of IPv6 in brackets and without its zone, and `localhost` for
        /// any name, since every server answers for that.
        fileprivate var authority: String {
            guard case .port(let host, _) = self else { return "localhost" }
            if host.utf8.contains(UInt8(ascii: ":")) { return "[\(host.prefix { $0 != "%" })]" }
            return host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } ? host : "localhost"
        }
    }

    let target: Target
    let isEncrypted: Bool
    let timeout: Duration

    /// Why the server is not well.
    struct Failure: Error {
        let reason: String
    }

    /// Returns if the server answers 200.
    func run() throws(Failure) {
        let socket = try connect()
        defer { close(socket) }
        let request = Array("GET /livez HTTP/1.1\r\nHost: \(target.authority)\r\nConnection: close\r\n\r\n".utf8)
        let answer = try isEncrypted ? askEncrypted(request, on: socket) : ask(request, on: socket)
        guard !answer.isEmpty else { throw Failure(reason: "it closed the connection without an answer") }
        let status = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard status.hasPrefix("HTTP/1.1 200") else { throw Failure(reason: "it answered '\(status)'") }
    }

    /// The begin of the answer.
    private func ask(_ request: [UInt8], on socket: Int32) throws(Failure) -> [UInt8] {
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw lastFailure() }
        var answer = [UInt8](repeating: 0, count: 64)
        let received = recv(socket, &answer, answer.count, Int32(MSG_WAITALL))
        guard received >= 0 else { throw lastFailure() }
        return Array(answer[..<received])
    }

    private func askEncrypted(_ request: [UInt8], on socket: Int32) throws(Failure) -> [UInt8] {
        do {
            return try TLSProbe.ask(socket: socket, request, receiving: 64)
        } catch {
            throw Failure(reason: error.isTimeout ? Self.noAnswer : error.reason)
        }
    }

    private static let noAnswer = "no answer in time"

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
            reason: errno == EAGAIN || errno == EINPROGRESS ? Self.noAnswer : String(cString: strerror(errno))
        )
    }
}
