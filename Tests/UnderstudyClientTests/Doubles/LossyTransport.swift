#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that records its requests, and loses requests or responses as a test requires.
final class LossyTransport: Transport {
    enum Loss {
        case request, response
        /// What follows the first part of a response that arrives in parts.
        case rest
    }

    let transport: any Transport
    let losses = LockedValue<[Loss]>([])
    /// All requests so far.
    let requests = LockedValue<[RemoteRequest]>([])
    /// The delays before the client's retries.
    let delays = LockedValue<[Duration]>([])

    init(_ transport: any Transport) { self.transport = transport }

    /// Loses the next requests with events, or the responses to them.
    func lose(_ losses: Loss...) { self.losses.value = losses }

    func stream(_ request: RemoteRequest) async throws -> RemoteResponseStream {
        requests.append(request)
        let isEvent = request.method == "POST" && request.target != "/session"
        let loss = isEvent ? losses.change { $0.isEmpty ? nil : $0.removeFirst() } : nil
        if loss == .request { throw URLError(.cannotConnectToHost) }
        let response = try await transport.stream(request)
        if loss == .response {
            // The service has handled the event when the response is complete.
            for try await _ in response.body {}
            throw URLError(.networkConnectionLost)
        }
        guard loss == .rest else { return response }
        let (body, parts) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        for try await part in response.body {
            parts.yield(part)
            break
        }
        parts.finish(throwing: URLError(.networkConnectionLost))
        return RemoteResponseStream(response.head, body: body)
    }

    /// The methods and targets of all requests so far.
    var targets: [String] { requests.value.map { "\($0.method) \($0.target)" } }

    /// Sends an event as another client of the session.
    func post(_ page: String, _ json: String, token: String?) async throws {
        _ = try await transport.send(
            RemoteRequest(
                "POST",
                "/" + page,
                headers: ["Authorization": "Bearer \(token ?? "")", "Content-Type": "application/json"],
                body: json.bytes
            )
        )
    }
}

/// A transport that returns the given responses in order, and then fails.
final class StubTransport: Transport {
    let responses: LockedValue<[RemoteResponse]>
    let requests = LockedValue<[RemoteRequest]>([])

    init(_ responses: RemoteResponse...) { self.responses = LockedValue(responses) }

    init(all responses: [RemoteResponse]) { self.responses = LockedValue(responses) }

    func stream(_ request: RemoteRequest) async throws -> RemoteResponseStream {
        requests.append(request)
        guard let response = responses.change({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw URLError(.cannotConnectToHost)
        }
        return RemoteResponseStream(response)
    }
}

extension RemoteResponse {
    init(_ status: Int, _ json: String, headers: [String: String] = [:]) {
        self.init(status: status, headers: headers, body: json.bytes)
    }

    /// An event stream.
    static func events(_ text: String) -> RemoteResponse {
        RemoteResponse(200, text, headers: ["Content-Type": "text/event-stream"])
    }

    static let token = RemoteResponse(201, #"{"token":"t"}"#)

    /// The response of a page with one event.
    static let page = RemoteResponse(
        200,
        #"{"page":"login","sequence":0,"rendered":{},"events":[{"event":"pressed","reads":[]}]}"#
    )
}
