/// Answers requests. Called from every event loop at once.
public protocol Responder: Sendable {
    /// The answer to a request. Runs on the connection's event loop: work that blocks belongs elsewhere.
    ///
    /// The task is cancelled when the answer's deadline has passed or the server stops; its answer is then unused.
    func respond(to request: Request) async -> Response

    /// The answer to a request that does not reach ``respond(to:)``.
    ///
    /// - Parameters:
    ///   - refusal: why it does not.
    ///   - id: the request's name.
    func refuse(_ refusal: RequestRejection, id: String) -> Response

    /// The same, for a responder that wants to know more of the request: as much of its head as has arrived. Not its body.
    func refuse(_ refusal: RequestRejection, of request: Request) -> Response

    /// Is told when an event loop has been held for ``ServerConfiguration/heldLoopThreshold`` or longer by work that should
    /// have been done elsewhere. Does nothing unless implemented.
    ///
    /// - Parameters:
    ///   - request: whose handler it was; `nil` where that is not known, since the handler had waited before.
    ///   - duration: how long the loop was held.
    func loopWasHeld(by request: Request?, for duration: Duration)
}

extension Responder {
    public func loopWasHeld(by request: Request?, for duration: Duration) {}

    public func refuse(_ refusal: RequestRejection, of request: Request) -> Response {
        refuse(refusal, id: request.id)
    }
}

/// Why the server itself answers a request.
public enum RequestRejection: Equatable, Sendable {
    /// The message is not well-formed HTTP; the text says what is wrong. The connection closes.
    case malformedRequest(String)
    /// The request is for a host that the server does not answer for; as the `Host` header has it. The connection closes.
    case misdirectedRequest(host: String)
    /// The body comes in a transfer coding that is not understood. The connection closes.
    case unsupportedTransferCoding
    /// The version of the protocol is not understood. The connection closes.
    case unsupportedHTTPVersion
    /// The request target is longer than that many bytes.
    case targetTooLong(limit: Int)
    /// The header section is larger than that many bytes.
    case headersTooLarge(limit: Int)
    /// The body is larger than that many bytes.
    case bodyTooLarge(limit: Int)
    /// There was no answer within the deadline. The handler may still be running.
    case answerTimeout
    /// The server stops, and the handler has not answered in time.
    case stopping
}
