/// Where a server listens, and its limits.
public struct ServerConfiguration: Sendable {
    /// The address or host name to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 for any free port.
    public var port: UInt16 = 8080
    /// Where to listen instead of on ``host`` and ``port``.
    public var address: ListenAddress?
    /// The certificate and key for TLS; `nil` for plain HTTP.
    public var credentials: TLSCredentials?
    /// The number of event loops, each a thread; at least 1. One per processor unless set.
    public var loops = ServerConfiguration.processors
    /// The largest number of simultaneous connections, over all loops. Further clients wait to be accepted.
    public var maximumConnections = 16_384
    /// The largest number of simultaneous connections from one IPv4 address or one IPv6 /64 network, over all loops; further ones are
    /// closed. `nil` for no limit. Trusted proxies are not limited.
    public var connectionsPerAddress: Int? = 100
    /// Whether connections from this machine's own addresses are limited.
    public var limitsLoopback = false
    /// The proxies whose `X-Forwarded-For` or `Forwarded` the server trusts.
    public var trustedProxies = TrustedProxies()
    /// The hosts that requests may name, as protection against DNS rebinding. Unless set, a server on a loopback address accepts only
    /// `localhost` and IP addresses.
    public var hostPolicy = HostPolicy.loopbackOnly(AllowedHosts())
    /// Bytes of memory for each connection, which must have room for a request's head. libmicrohttpd clears all of it for every
    /// request, so less is faster.
    public var connectionMemory = 10 * 1024
    /// The longest request target, in bytes.
    public var maximumTargetSize = 2 * 1024
    /// The largest header section, in bytes of names and values.
    public var maximumHeaderSize = 6 * 1024
    /// The largest body, in bytes.
    public var maximumBodySize = 64 * 1024
    /// How long a connection may be silent.
    public var idleTimeout: Duration = .seconds(60)
    /// How long a request's head may take to arrive, after the silence before it.
    public var headTimeout: Duration = .seconds(15)
    /// How long a request's body may take to arrive.
    public var bodyTimeout: Duration = .seconds(30)
    /// How long the handler may take to respond.
    public var responseTimeout: Duration = .seconds(30)
    /// How long the client may take to receive the response.
    public var receiveTimeout: Duration = .seconds(60)
    /// How long accepted requests may still take when the server stops.
    public var drainTimeout: Duration = .seconds(10)
    /// How long a handler may block its event loop before the server calls ``Responder/loopWasBlocked(by:for:)``.
    public var blockedLoopThreshold: Duration = .milliseconds(50)

    /// The defaults: a server on 127.0.0.1:8080.
    public init() {}
}
