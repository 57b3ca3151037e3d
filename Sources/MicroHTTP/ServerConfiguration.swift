/// Where a server listens, and its limits.
///
/// ``Server/reload(_:)`` changes some of the limits of a server that serves.
///
/// If a client exceeds a timeout, the server closes the connection. The server checks timeouts every 250 milliseconds, and rounds
/// ``idleTimeout`` up to whole seconds.
public struct ServerConfiguration: Sendable {
    /// The address or host name to listen on. If a name has several addresses, the server uses the first one.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 for any free port.
    public var port: UInt16 = 8080
    /// Where to listen instead of on ``host`` and ``port``.
    public var address: ListenAddress?
    /// The certificate and key for TLS; `nil` for plain HTTP.
    public var credentials: TLSCredentials?
    /// The number of event loops, each with its own thread. Any value below 1 counts as 1.
    public var loops = ServerConfiguration.processors
    /// The largest number of simultaneous connections. Each event loop accepts an equal share of them, at least 1. Further clients wait
    /// until the server accepts them.
    public var maximumConnections = 16_384
    /// Whether the server closes a connection when it has ``maximumConnections`` of them: the one that has waited longest for its client to
    /// send or receive something. A connection whose handler is running stays open. So idle clients cannot lock others out.
    ///
    /// For a server with few connections. Finding the connection takes time that grows with their number.
    public var replacesIdleConnections = false
    /// The largest number of simultaneous connections from one IPv4 address or one IPv6 /64 network, over all event loops; at least 1.
    /// `nil` for no limit. The server closes further connections. Trusted proxies and clients of a Unix domain socket are not limited.
    public var connectionsPerAddress: Int? = 100
    /// Whether ``connectionsPerAddress`` also applies to connections from loopback addresses.
    public var limitsLoopback = false
    /// The proxies whose `X-Forwarded-For` the server trusts.
    public var trustedProxies = TrustedProxies()
    /// The hosts that requests may name, as protection against DNS rebinding. Unless set, a server on a loopback address accepts only
    /// `localhost` and IP addresses.
    public var hostPolicy = HostPolicy.loopbackOnly(AllowedHosts())
    /// The memory of each connection, in bytes. It contains the head of a request, 64 bytes for each of its fields and cookies, a copy of its
    /// cookies, and 4 KiB for the head of the response; a larger head is rejected. libmicrohttpd clears all of it for every request, so less
    /// memory is faster.
    public var connectionMemory = 16 * 1024
    /// The maximum length of a request target, in bytes.
    public var maximumTargetSize = 2 * 1024
    /// The maximum size of all header names and values of a request together, in bytes.
    public var maximumHeaderSize = 6 * 1024
    /// The maximum size of a request's body, in bytes.
    public var maximumBodySize = 64 * 1024
    /// How long a connection may be silent, before a request and in the middle of one.
    public var idleTimeout: Duration = .seconds(60)
    /// How long the rest of a request's head may take to arrive after its request line. The whole head must arrive within
    /// ``idleTimeout`` and this duration together.
    public var headTimeout: Duration = .seconds(15)
    /// How long a request's body may take to arrive after its head.
    public var bodyTimeout: Duration = .seconds(30)
    /// How long the handler may take to respond. After that, the client gets the response to
    /// ``/HTTPMessages/RequestRejection/responseTimeout``.
    public var responseTimeout: Duration = .seconds(30)
    /// How long the client may take to receive the response, or each 32 KiB of a larger one.
    public var receiveTimeout: Duration = .seconds(60)
    /// After how long without anything to send a ``/HTTPMessages/ResponseStream`` writes its `keepAlive`, so that no proxy closes the
    /// connection.
    public var keepAliveInterval: Duration = .seconds(15)
    /// How long ``Server/stop()`` waits for the responses to accepted requests.
    public var drainTimeout: Duration = .seconds(10)
    /// How long a handler must block its event loop until the server calls ``/HTTPMessages/Responder/loopWasBlocked(by:for:)``; at least a millisecond.
    public var blockedLoopThreshold: Duration = .milliseconds(50)

    /// Creates the default configuration: plain HTTP on 127.0.0.1:8080.
    public init() {}
}

/// Where a server can listen instead of on a port.
public enum ListenAddress: Equatable, Sendable {
    /// A Unix domain socket at a path of at most 107 bytes. Its file gets the mode, such as `0o660`. The server replaces the socket file of
    /// a server that no longer runs.
    case unixSocket(path: String, mode: UInt32)
    /// A listening socket that another process, such as systemd, has opened, and keeps open after the server has stopped. The server owns
    /// the descriptor and closes it, even if the server cannot start.
    case handedOver(descriptor: Int32)
}
