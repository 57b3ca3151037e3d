import ArgumentParser
import Glibc

/// `understudy healthcheck`.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a running server whether it is alive: exit 0 if it is, 1 if not.",
        discussion: "Host and port are also taken from UNDERSTUDY_HOST, UNDERSTUDY_PORT and the configuration file."
    )

    @Option(help: "The address or host name to ask. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to ask. (default: 8080)")
    var port: UInt16?

    @OptionGroup
    var configuration: ConfigurationOptions

    @Option(help: "How long to wait for the answer. (default: 3s)")
    var timeout: TimeSpan?

    func run() async throws {
        let settings = try await configuration.settings()
        let host = try settings.value(host, Settings.host)
        let port = try settings.value(port, Settings.port)
        let timeout = timeout?.duration ?? .seconds(3)
        guard timeout > .zero else { throw ValidationError("'--timeout' has to be longer than nothing.") }
        let probe = HealthProbe(host: host, port: port, timeout: timeout)
        do {
            try probe.run()
        } catch {
            Terminal.printError("\(host) port \(port): \(error.reason)")
            throw ExitCode(1)
        }
    }
}

/// One `GET /livez`. A whole HTTP client would weigh more than the server.
struct HealthProbe {
    let host: String
    let port: UInt16
    let timeout: Duration

    /// Why the server is not well.
    struct Failure: Error {
        let reason: String
    }

    /// Returns if the server answers 200.
    func run() throws(Failure) {
        let socket = try connect()
        defer { close(socket) }
        var request = Array("GET /livez HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, &request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw lastFailure() }
        var answer = [UInt8](repeating: 0, count: 64)
        let received = recv(socket, &answer, answer.count, Int32(MSG_WAITALL))
        guard received >= 0 else { throw lastFailure() }
        guard received > 0 else { throw Failure(reason: "it closed the connection without an answer") }
        let status = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard status.hasPrefix("HTTP/1.1 200") else { throw Failure(reason: "it answered '\(status)'") }
    }

    /// The host as it stands in a header: an address of IPv6 in brackets, and without its zone.
    private var authority: String {
        host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
    }

    private func connect() throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &list)
        guard failure == 0 else { throw Failure(reason: String(cString: gai_strerror(failure))) }
        defer { freeaddrinfo(list) }
        var last = Failure(reason: "no address")
        var next = list
        while let candidate = next?.pointee {
            let socket = Glibc.socket(candidate.ai_family, candidate.ai_socktype, 0)
            let (seconds, attoseconds) = timeout.components
            var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            if Glibc.connect(socket, candidate.ai_addr, candidate.ai_addrlen) == 0 { return socket }
            last = lastFailure()
            close(socket)
            next = candidate.ai_next
        }
        throw last
    }

    private func lastFailure() -> Failure {
        Failure(
            reason: errno == EAGAIN || errno == EINPROGRESS ? "no answer in time" : String(cString: strerror(errno))
        )
    }
}
