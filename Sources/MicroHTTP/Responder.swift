/// Responds to the requests that a ``Server`` receives. Called by all event loops at once.
public protocol Responder: Sendable {
    /// The response to a request, with all its header fields except `Date`, `Content-Length` and `Connection`, which the server adds.
    ///
    /// Runs on the connection's event loop, where it must not block. The task is cancelled when the deadline of the response has
    /// passed or the server stops. Its response is then unused.
    func respond(to request: Request) async -> Response

    /// The response to a request that the server rejects before it reaches ``respond(to:)``, or whose response is late.
    ///
    /// - Parameters:
    ///   - rejection: why the server rejects it.
    ///   - request: as much of its head as has arrived, and its ID. The target is empty if the request line has not been read.
    func reject(_ rejection: RequestRejection, of request: Request) -> Response

    /// Called when a handler has blocked an event loop for ``ServerConfiguration/blockedLoopThreshold`` or longer. Does nothing unless
    /// implemented.
    ///
    /// - Parameters:
    ///   - request: the handler's request; `nil` if it is unknown, because the handler had waited before.
    ///   - duration: how long the loop was blocked.
    func loopWasBlocked(by request: Request?, for duration: Duration)
}

extension Responder {
    public func loopWasBlocked(by request: Request?, for duration: Duration) {}
}

/// Why the server itself rejects a request.
public enum RequestRejection: Error, Equatable {
    /// The message is not well-formed HTTP; the text says what is wrong. The connection closes.
    case malformedRequest(String)
    /// The request names a host that the server does not accept, as in its `Host` header. The connection closes.
    case misdirectedRequest(host: String)
    /// The server does not support the transfer coding of the body. The connection closes.
    case unsupportedTransferCoding
    /// The server does not support the version of the protocol. The connection closes.
    case unsupportedHTTPVersion
    /// The request target is longer than that many bytes.
    case targetTooLong(limit: Int)
    /// The header section is larger than that many bytes.
    case headersTooLarge(limit: Int)
    /// The body is larger than that many bytes.
    case bodyTooLarge(limit: Int)
    /// The handler has not responded in time. It may still be running.
    case responseTimeout
    /// The server stops, and the handler has not responded in time.
    case stopping
}
