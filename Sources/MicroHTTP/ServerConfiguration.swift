/// How a server listens, and what it puts up with.
public struct ServerConfiguration: Sendable {
    /// The address or host name to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 picks a free one.
    public var port: UInt16 = 8080
    /// Where to listen instead of on ``host`` and ``port``.
    public var address: ListenAddress?
    /// Speaks TLS with those; `nil` speaks plain HTTP.
    public var credentials: TLSCredentials?
    /// The number of event loops, each a thread; at least 1. One a processor unless set.
    public var loops = ServerConfiguration.processors
    /// How many connections there may be at once, over all loops. Further clients wait to be accepted.
    public var maximumConnections = 16_384
    /// How many connections there may be from one address, of IPv6 from one /64, over all loops; further ones are closed.
    /// `nil` for no limit. Proxies that are trusted are not limited.
    public var connectionsPerAddress: Int? = 100
    /// Whether connections from this machine's own addresses are limited, too.
    public var limitsLoopback = false
    /// The proxies that are believed when they say whose request they pass on.
    public var trustedProxies = TrustedProxies()
    /// For which hosts requests may be, against DNS rebinding. Unless set, a server on a loopback address answers only for
    /// `localhost` and IP addresses.
    public var hostPolicy = HostPolicy.loopbackOnly(AllowedHosts())
    /// Bytes for each connection: what a request's head has to fit into with room to spare. libmicrohttpd clears all of it for
    /// every request, so that less is faster.
    public var connectionMemory = 10 * 1024
    /// The longest request target, in bytes.
    public var maximumTargetSize = 2 * 1024
    /// The largest header section, in bytes of names and values.
    public var maximumHeaderSize = 6 * 1024
    /// The largest body, in bytes.
    public var maximumBodySize = 64 * 1024
    /// How long a connection may stay silent.
    public var idleTimeout: Duration = .seconds(60)
    /// How long a request's head may take to arrive, beside the silence allowed before it.
    public var headTimeout: Duration = .seconds(15)
    /// How long a request's body may take to arrive.
    public var bodyTimeout: Duration = .seconds(30)
    /// How long the handler may take to answer.
    public var answerTimeout: Duration = .seconds(30)
    /// How long the client may take to receive the answer.
    public var receiveTimeout: Duration = .seconds(60)
    /// How long requests that have been accepted may take when the server stops.
    public var drainTimeout: Duration = .seconds(10)
    /// How long a handler may hold its event loop before the responder is told.
    public var heldLoopThreshold: Duration = .milliseconds(50)

    /// The defaults: a server on 127.0.0.1:8080.
    public init() {}
}
