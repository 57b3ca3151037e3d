import MicroHTTP
import Synchronization

/// A responder whose answers a test decides, and that keeps what it was asked.
final class StubResponder: Responder {
    typealias Handler = @Sendable (Request) async -> Response

    /// A request that the server answered itself.
    struct Refused: Equatable {
        let refusal: RequestRejection
        let id: String
    }

    private let handler: Handler
    private let whileRefusing: @Sendable (RequestRejection) -> Void
    private let seen = Mutex<(requests: [Request], refused: [Refused])>(([], []))

    /// - Parameters:
    ///   - handler: the answer to a request; what was asked, unless given.
    ///   - whileRefusing: called on the event loop before a refusal is answered.
    init(
        handler: @escaping Handler = { request in Response.echo(request) },
        whileRefusing: @escaping @Sendable (RequestRejection) -> Void = { _ in }
    ) {
        self.handler = handler
        self.whileRefusing = whileRefusing
    }

    /// The requests that have reached the handler, in order.
    var requests: [Request] { seen.withLock(\.requests) }

    /// The requests that the server has answered itself, in order.
    var refused: [Refused] { seen.withLock(\.refused) }

    func respond(to request: Request) async -> Response {
        seen.withLock { $0.requests.append(request) }
        return await handler(request)
    }

    func refuse(_ refusal: RequestRejection, id: String) -> Response {
        seen.withLock { $0.refused.append(Refused(refusal: refusal, id: id)) }
        whileRefusing(refusal)
        return Response(status: refusal.status, body: Array("refused".utf8))
    }
}

extension Response {
    /// 200 with that text.
    static func text(_ text: String) -> Response {
        Response(status: 200, body: Array(text.utf8))
    }

    /// Method, target and body of the request.
    static func echo(_ request: Request) -> Response {
        text("\(request.method) \(request.target) " + String(decoding: request.body, as: UTF8.self))
    }
}

extension RequestRejection {
    /// The status that `StubResponder` gives it.
    fileprivate var status: Int {
        switch self {
        case .malformedRequest: 400
        case .misdirectedRequest: 421
        case .unsupportedTransferCoding: 501
        case .unsupportedHTTPVersion: 505
        case .targetTooLong: 414
        case .headersTooLarge: 431
        case .bodyTooLarge: 413
        case .answerTimeout: 503
        case .stopping: 502
        }
    }

    /// Whether it is a malformed request, whatever is wrong with it.
    var isMalformedRequest: Bool {
        if case .malformedRequest = self { true } else { false }
    }
}
