/// A responder whose responses a test chooses, and that records the requests.
final class StubResponder: Responder {
    typealias Handler = @Sendable (Request) async -> Response

    /// A request that the server rejected.
    struct Rejected: Equatable {
        let rejection: RequestRejection
        let id: String
    }

    let handler: Handler
    let common: CommonHeaders?
    let whileRejecting: @Sendable (RequestRejection) -> Void
    let seen = LockedValue<(requests: [Request], rejected: [Rejected], blocking: [String])>(([], [], []))

    /// - Parameters:
    ///   - common: the header fields that all responses have in common.
    ///   - handler: the response to a request; an echo of the request unless given.
    ///   - whileRejecting: called on the event loop before a rejection is sent.
    init(
        common: CommonHeaders? = nil,
        handler: @escaping Handler = { request in Response.echo(request) },
        whileRejecting: @escaping @Sendable (RequestRejection) -> Void = { _ in }
    ) {
        self.common = common
        self.handler = handler
        self.whileRejecting = whileRejecting
    }

    /// A responder that echoes each request, after the work.
    static func echoing(after work: @escaping @Sendable (Request) async -> Void) -> StubResponder {
        StubResponder { request in
            await work(request)
            return .echo(request)
        }
    }

    /// A responder that echoes each request, after the test has opened the gate if it is for the target.
    ///
    /// - Parameter target: `nil` for each request.
    convenience init(waitingAt gate: Latch, for target: String? = nil) {
        self.init { request in
            if target == nil || request.target == target { await gate.wait() }
            return .echo(request)
        }
    }

    /// A responder that echoes each request, and blocks its event loop for `/block` until the test lifts the barrier.
    convenience init(blockingAt barrier: Barrier) {
        self.init { request in
            if request.target == "/block" { barrier.block() }
            return .echo(request)
        }
    }

    /// The requests that have reached the handler, in order.
    var requests: [Request] { seen.value.requests }

    /// The requests that the server has rejected, in order.
    var rejected: [Rejected] { seen.value.rejected }

    /// The target and the event of each request that has blocked its event loop for a second: a busy machine suspends a thread for less.
    var blocking: [String] { seen.value.blocking }

    func respond(to request: Request) async -> Response {
        seen.change { $0.requests.append(request) }
        var response = await handler(request)
        response.common = common
        response.requestID = request.id
        return response
    }

    func prepareStream(_ head: inout Response, of request: Request) {
        head.headers.append(("X-Prepared", request.target))
    }

    func loopWasBlocked(by request: RequestDescription?, for duration: Duration) {
        guard duration >= .seconds(1) else { return }
        seen.change { $0.blocking.append("\(request?.target ?? "-") \(request?.event ?? "-")") }
    }

    func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        seen.change { $0.rejected.append(Rejected(rejection: rejection, id: request.id)) }
        whileRejecting(rejection)
        return Response(status: rejection.status, common: common, requestID: request.id, body: "rejected".bytes)
    }
}

extension Response {
    /// 200 with that text.
    static func text(_ text: String) -> Response { Response(status: 200, body: text.bytes) }

    /// Method, target and body of the request.
    static func echo(_ request: Request) -> Response {
        text("\(request.method) \(request.target) " + request.body.text)
    }
}

extension RequestRejection {
    /// The status of the response of a `StubResponder`.
    var status: Int {
        switch self {
        case .malformedRequest: 400
        case .misdirectedRequest: 421
        case .unsupportedTransferCoding: 501
        case .unsupportedHTTPVersion: 505
        case .targetTooLong: 414
        case .headersTooLarge: 431
        case .bodyTooLarge: 413
        case .responseTimeout: 503
        case .stopping: 502
        }
    }
}
