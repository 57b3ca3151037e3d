import BusinessLogic
import Foundation

/// Sends one event, and passes on its commands while the service still handles it.
///
/// It returns the response that the service would have sent without a stream. If the stream breaks off, the next attempt
/// continues it.
///
/// It passes on commands only until the first that could not be undone, such as an alert: the event may still fail.
actor StreamedEvent {
    private let transport: any Transport
    private let page: String
    private let show: @Sendable (CommandResponse.Entry) -> Void
    /// The number of the next command to pass on; `nil` if all further ones wait for the answer.
    private var next: Int?
    /// The number of the last command that has arrived, with which the service continues the stream.
    private var lastID: String?

    /// `show` receives the commands in order.
    ///
    /// - Parameter sequence: the number of the session's last command, after which no command may be missing; `nil` to pass on nothing.
    init(
        _ transport: any Transport,
        page: String,
        after sequence: Int?,
        show: @escaping @Sendable (CommandResponse.Entry) -> Void
    ) {
        self.transport = transport
        self.page = page
        self.show = show
        next = sequence.map { $0.addingSaturated(1) }
    }

    func send(_ request: RemoteRequest) async throws -> RemoteResponse {
        var headers = request.headers
        headers["Accept"] = "text/event-stream, application/json;q=0.9, application/problem+json;q=0.9"
        headers["Last-Event-ID"] = lastID
        let streamed = RemoteRequest(request.method, request.target, headers: headers, body: request.body)
        let response = try await transport.stream(streamed)
        return response.isEventStream ? try await readEvents(of: response) : try await response.complete
    }

    private func readEvents(of response: RemoteResponseStream) async throws -> RemoteResponse {
        var events = ServerSentEvents()
        var result: RemoteResponse?
        do {
            for try await part in response.body {
                for event in events.read(part) { result = try handle(event, of: response) ?? result }
            }
        } catch {
            // After the answer, the end of the stream does not matter.
            if result == nil { throw error }
        }
        try Task.checkCancellation()
        guard let result else { throw URLError(.networkConnectionLost) }
        return result
    }

    /// Returns the response if this is the last event of the stream.
    private func handle(_ event: ServerSentEvents.Event, of response: RemoteResponseStream) throws -> RemoteResponse? {
        switch event.name {
        case "command":
            if let id = event.id { lastID = id }
            try receive(event.data)
        case "restart", "problem":
            lastID = nil
            next = nil
            return event.name == "problem" ? problem(event) : nil
        case "answer": return response.head.with(event.data)
        default: break
        }
        return nil
    }

    private func receive(_ json: [UInt8]) throws {
        guard let next else { return }
        let entry = try wellFormed { try CommandResponse.Entry(RemoteResponse(status: 200, body: json).json) }
        // Whether the screen that `GET /PAGE` returns can undo the command. No screen can take back an alert.
        guard entry.sequence == next, entry.page == page, case .render = entry.command else {
            self.next = nil
            return
        }
        self.next = next.addingSaturated(1)
        show(entry)
    }

    /// The problem as the response that it would have been without a stream.
    private func problem(_ event: ServerSentEvents.Event) -> RemoteResponse {
        let status = (try? JSONReader.read(event.data))?.object?["status"]?.integer ?? 500
        var headers = ["Content-Type": "application/problem+json"]
        headers["Retry-After"] = event.retry.map { "\($0.addingSaturated(999) / 1000)" }
        return RemoteResponse(status: status, headers: headers, body: event.data)
    }
}

extension RemoteResponseStream {
    fileprivate var isEventStream: Bool {
        head.headers["content-type"]?.lowercased().hasPrefix("text/event-stream") == true && head.status == 200
    }
}
