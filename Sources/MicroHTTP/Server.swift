public import HTTPMessages
import CMicroHTTPD
import Glibc
import Synchronization

/// An HTTP/1.1 server that passes complete requests to a ``/HTTPMessages/Responder``. Its event loops drive libmicrohttpd.
///
/// It serves from ``init(configuration:responder:)`` until ``stop()``.
public final class Server: Sendable {
    /// Where the server listens.
    public let address: ServerAddress

    private let loops: [EventLoop]
    /// The file of a Unix domain socket, until the server stops.
    private let file: Mutex<SocketFile?>
    private let drainTimeout: Duration
    private let connectionLimit: ConnectionLimit

    /// The version of the installed libmicrohttpd, such as `1.0.1`. It can differ from the version that the server was built with.
    package static var libraryVersion: String { String(cString: MHD_get_version()) }

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, and the limits.
    ///   - responder: responds to the requests.
    /// - Throws: ``ServerError`` if the server cannot start. Then nothing keeps running.
    public init(configuration: ServerConfiguration = ServerConfiguration(), responder: any Responder)
        throws(ServerError)
    {
        var configuration = configuration
        configuration.loops = max(1, configuration.loops)
        let connectionLimit = ConnectionLimit(configuration)
        let loops = try (0..<configuration.loops).map { number throws(ServerError) in
            try EventLoop(
                number: number,
                configuration: configuration,
                responder: responder,
                connectionLimit: connectionLimit
            )
        }
        let listener = try Listener(configuration)
        do throws(ServerError) {
            try Self.start(loops, listener, hosts: configuration.hostPolicy.hosts(on: listener.address.host))
        } catch {
            listener.file?.remove()
            throw error
        }
        self.loops = loops
        self.connectionLimit = connectionLimit
        file = Mutex(listener.file)
        address = listener.address
        drainTimeout = configuration.drainTimeout
    }

    /// Starts all loops, or none.
    private static func start(_ loops: [EventLoop], _ listener: Listener, hosts: AllowedHosts?) throws(ServerError) {
        for (index, loop) in loops.enumerated() {
            do throws(ServerError) {
                try loop.start(listener: listener.sockets[index], isHandedOver: listener.isHandedOver, hosts: hosts)
            } catch {
                for loop in loops[..<index] { loop.stopAtOnce() }
                for socket in listener.sockets[index...] { close(socket) }
                throw error
            }
        }
    }

    /// Applies other limits while the server serves. Returns when every event loop has them.
    ///
    /// Requests whose head has arrived keep the limits of their body. Connections stay open, even if there are more of them than
    /// ``ServerConfiguration/connectionsPerAddress`` permits now. A timeout that has begun keeps its duration.
    ///
    /// - Parameter configuration: the ``ServerConfiguration/hostPolicy``, the limits of requests (``ServerConfiguration/maximumTargetSize``,
    ///   ``ServerConfiguration/maximumHeaderSize`` and ``ServerConfiguration/maximumBodySize``), the timeouts from
    ///   ``ServerConfiguration/headTimeout`` to ``ServerConfiguration/keepAliveInterval``, and
    ///   ``ServerConfiguration/connectionsPerAddress`` with ``ServerConfiguration/limitsLoopback``. The server ignores everything else.
    public func reload(_ configuration: ServerConfiguration) async {
        connectionLimit.reload(configuration)
        let hosts = configuration.hostPolicy.hosts(on: address.host)
        for loop in loops { await loop.reload(configuration, hosts: hosts) }
    }

    /// Requests whose handlers have started stay with the former responder.
    package func reload(_ configuration: ServerConfiguration, _ responder: any Responder) async {
        for loop in loops { loop.replaceResponder(responder) }
        await reload(configuration)
    }

    /// The server's metrics. Reading them restarts the measurement of the longest iterations.
    public var statistics: ServerStatistics {
        var statistics = ServerStatistics()
        for loop in loops { loop.metrics.add(to: &statistics) }
        return statistics
    }

    /// Whether no event loop is currently blocked for longer than `limit`. A handler that blocks delays all requests of its event loop.
    /// An idle event loop is responsive.
    public func isResponsive(within limit: Duration) -> Bool {
        loops.allSatisfy { $0.isResponsive(within: limit.milliseconds) }
    }

    /// Closes each connection after its next response, and continues to accept new ones. Call it some time before ``stop()``, which closes
    /// connections while a proxy that reuses them may be sending a request.
    public func closeConnectionsAfterResponses() async {
        for loop in loops { await loop.closeConnectionsAfterResponses() }
    }

    /// Stops accepting connections immediately, and returns when all accepted requests have a response, at the latest after
    /// ``ServerConfiguration/drainTimeout``. You may call this more than once, and from several tasks.
    public func stop() async {
        // While the socket is open, its file cannot be mistaken for another server's.
        file.withLock { $0.take() }?.remove()
        await withTaskGroup(of: Void.self) { group in
            for loop in loops { group.addTask { [drainTimeout] in await loop.stop(within: drainTimeout) } }
        }
    }
}

extension ServerConfiguration {
    /// The number of processors that are online; at least 1. A limit of this process, such as a CPU affinity, does not reduce it.
    package static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// Why a server cannot start.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The host is neither an IP address nor a known name.
    case unknownHost(String, reason: String)
    /// Another process listens on the port.
    case addressInUse(host: String, port: UInt16)
    /// The server cannot listen on the port.
    case cannotListen(host: String, port: UInt16, reason: String)
    /// Another process listens on the Unix domain socket at the path.
    case socketInUse(path: String)
    /// The server cannot create a Unix domain socket at the path.
    case cannotListenOnSocket(path: String, reason: String)
    /// The descriptor that was handed over is not a listening socket.
    case cannotTake(descriptor: Int32)
    /// The server cannot start an event loop, for example because the process has no descriptor left.
    case cannotStart(reason: String)

    public var description: String {
        switch self {
        case .unknownHost(let host, let reason): "cannot find the host '\(host)': \(reason)"
        case .addressInUse(let host, let port): "port \(port) on \(host) is already in use"
        case .cannotListen(let host, let port, let reason): "cannot listen on \(host) port \(port): \(reason)"
        case .socketInUse(let path): "the socket '\(path)' is already in use"
        case .cannotListenOnSocket(let path, let reason): "cannot listen on the socket '\(path)': \(reason)"
        case .cannotTake(let descriptor): "descriptor \(descriptor) is not a listening socket"
        case .cannotStart(let reason): "cannot start the event loop: \(reason)"
        }
    }
}
