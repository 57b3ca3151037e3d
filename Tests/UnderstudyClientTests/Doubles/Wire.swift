import BusinessLogic
import Foundation
import UnderstudyClient
import UnderstudyTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A way to a service that notes what goes over it, and loses what a test tells it to lose.
final class Wire: Transport {
    enum Loss {
        case request, answer
    }

    private let transport: any Transport
    private let losses = LockedValue<[Loss]>([])
    /// What has been sent.
    let requests = LockedValue<[RemoteRequest]>([])
    /// How long the client would have waited, each time.
    let waits = LockedValue<[Duration]>([])

    init(_ transport: any Transport) {
        self.transport = transport
    }

    /// Has the next events to be sent lost.
    func lose(_ losses: Loss...) {
        self.losses.value = losses
    }

    func send(_ request: RemoteRequest) async throws -> RemoteResponse {
        requests.change { $0.append(request) }
        let isEvent = request.method == "POST" && request.target != "/session"
        let loss = isEvent ? losses.change { $0.isEmpty ? nil : $0.removeFirst() } : nil
        if loss == .request { throw URLError(.cannotConnectToHost) }
        let response = try await transport.send(request)
        if loss == .answer { throw URLError(.networkConnectionLost) }
        return response
    }

    /// Methods and targets of what has been sent.
    var targets: [String] { requests.value.map { "\($0.method) \($0.target)" } }

    /// Sends an event as another client of the session would.
    func post(_ page: String, _ json: String, token: String?) async throws {
        _ = try await transport.send(
            RemoteRequest(
                "POST",
                "/" + page,
                headers: ["Authorization": "Bearer \(token ?? "")", "Content-Type": "application/json"],
                body: Array(json.utf8)
            )
        )
    }
}

/// A service that answers what a test wants, one after another; then it does not answer at all.
final class StubTransport: Transport {
    private let answers: LockedValue<[RemoteResponse]>
    let requests = LockedValue<[RemoteRequest]>([])

    init(_ answers: RemoteResponse...) {
        self.answers = LockedValue(answers)
    }

    func send(_ request: RemoteRequest) async throws -> RemoteResponse {
        requests.change { $0.append(request) }
        guard let answer = answers.change({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw URLError(.cannotConnectToHost)
        }
        return answer
    }
}

extension RemoteResponse {
    init(_ status: Int, _ json: String, headers: [String: String] = [:]) {
        self.init(status: status, headers: headers, body: Array(json.utf8))
    }

    static let token = RemoteResponse(201, #"{"token":"t"}"#)

    /// What a page with one event answers.
    static let page = RemoteResponse(
        200,
        #"{"page":"login","sequence":0,"rendered":{},"events":[{"event":"pressed","reads":[]}]}"#
    )
}
