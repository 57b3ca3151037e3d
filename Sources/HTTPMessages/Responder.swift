/// Responds to the requests that a ``/MicroHTTP/Server`` receives. All event loops may call it at the same time.
public protocol Responder: Sendable {
    /// The response to a request, with all its header fields except `Date`, `Content-Length` and `Connection`, which the server adds.
    ///
    /// Runs on the connection's event loop, which it must not block. If it takes longer than
    /// ``/MicroHTTP/ServerConfiguration/responseTimeout``, or longer than ``/MicroHTTP/ServerConfiguration/drainTimeout`` when the server
    /// stops, the server cancels the task and ignores its response.
    func respond(to request: Request) async -> Response

    /// The response to a request that the server rejects before it reaches ``respond(to:)``, or whose response is late.
    ///
    /// Runs on the connection's event loop, which it must not block. If libmicrohttpd has already rejected the request by itself, the
    /// server calls this only for your log and your metrics, and ignores the response.
    ///
    /// - Parameters:
    ///   - rejection: why the server rejects the request.
    ///   - request: its ID, and as much of its head as the server knows. The target is empty if the server does not know it.
    func reject(_ rejection: RequestRejection, of request: Request) -> Response

    /// Called before the server sends the head of a ``ResponseStream``, to add header fields that every response has. The default
    /// implementation does nothing.
    ///
    /// A responder that adds fields to the responses of another one needs this, because the other one prepares the stream.
    func prepareStream(_ head: inout Response, of request: Request)

    /// Called when a handler has blocked an event loop for ``/MicroHTTP/ServerConfiguration/blockedLoopThreshold`` or longer. The default
    /// implementation does nothing.
    ///
    /// - Parameters:
    ///   - request: the handler's request; `nil` if the server does not know it, because the handler had waited before.
    ///   - duration: how long the handler blocked the event loop, without the time in which the thread waited for a processor that others had.
    ///     Accurate to four milliseconds.
    func loopWasBlocked(by request: RequestDescription?, for duration: Duration)
}

extension Responder {
    public func prepareStream(_ head: inout Response, of request: Request) {}

    public func loopWasBlocked(by request: RequestDescription?, for duration: Duration) {}
}

/// Why the server itself rejects a request. The server closes the connection after the response.
public enum RequestRejection: Error, Equatable {
    /// The message is not well-formed HTTP. The text describes the error.
    case malformedRequest(String)
    /// The request names a host that the server does not accept. `host` may have a port, as in the `Host` header.
    case misdirectedRequest(host: String)
    /// The server does not support the transfer coding of the body.
    case unsupportedTransferCoding
    /// The server does not support the version of the protocol.
    case unsupportedHTTPVersion
    /// The request target has more than `limit` bytes.
    case targetTooLong(limit: Int)
    /// The header names and values together have more than `limit` bytes, or the head does not fit into the memory of its connection.
    case headersTooLarge(limit: Int)
    /// The body has more than `limit` bytes.
    case bodyTooLarge(limit: Int)
    /// The handler has not responded in time. It may still be running.
    case responseTimeout
    /// The server stops before the handler has responded.
    case stopping
}
