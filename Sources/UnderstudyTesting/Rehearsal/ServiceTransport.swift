#if canImport(Understudy)
    internal import HTTPMessages
    public import Understudy
    public import UnderstudyClient

    /// A transport to a service in the same process, without a socket.
    public struct ServiceTransport: Transport {
        private let service: UnderstudyService
        var restoresSessions = false

        /// Creates a transport to a service.
        public init(_ service: UnderstudyService) { self.service = service }

        public func stream(_ request: RemoteRequest) async throws -> RemoteResponseStream {
            let response = await service.respond(
                to: Request(
                    Method(rawValue: request.method),
                    request.target,
                    headers: Headers(
                        request.headers.compactMap { name, value in HeaderName(name).map { (name: $0, value: value) } }
                    ),
                    body: request.body
                )
            )
            if restoresSessions { try service.restartSessions() }
            try Task.checkCancellation()
            let headers = Dictionary(response.fields.map { ($0.name.description, $0.value) }) { first, _ in first }
            return RemoteResponseStream(RemoteResponse(status: response.status, headers: headers, body: response.body))
        }
    }
#endif
