import BusinessLogic
public import Foundation

/// A user's session with a service, which the ``RemoteEventable``s of several pages share.
///
/// The session starts with the first event. If it has expired, the next event starts another one. Its events run one at a
/// time in FIFO order. If a response is lost, its commands arrive with the page's next event, in order. No command arrives
/// twice.
public actor RemoteSession {
    /// The data with which you resume a session later. The token is a secret.
    public struct State: Codable, Equatable, Sendable {
        /// The secret that identifies the session.
        public let token: String
        /// The sequence number of the last command that has arrived.
        public let sequence: Int
    }

    /// The data to save to resume this session; `nil` if there is no session. It changes with each event.
    public var state: State? { token.map { State(token: $0, sequence: sequence) } }

    private let transport: any Transport
    private let retries: RetryPolicy
    private let lock = AsyncLock()
    private var token: String?
    private var sequence: Int
    /// Commands that have arrived, by page, until the page's next event.
    private var undelivered: [String: [CommandResponse.Entry]] = [:]
    private var pages: Set<String> = []
    /// The pages whose earlier commands are lost permanently.
    private var outdated: Set<String> = []
    private var followers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastFollower = 0
    private var following: Task<Void, Never>?

    /// Creates a session that sends its requests by a transport. Sends nothing before the first event.
    ///
    /// - Parameters:
    ///   - transport: sends requests to the service.
    ///   - retries: how often a request is sent again after a temporary failure.
    ///   - state: the session to resume; `nil` for a new one.
    public init(_ transport: any Transport, retries: RetryPolicy = RetryPolicy(), resuming state: State? = nil) {
        self.transport = transport
        self.retries = retries
        token = state?.token
        sequence = max(0, state?.sequence ?? 0)
    }

    /// Creates a session with the service at a URL, such as `https://understudy.example`. Sends nothing before the first event.
    ///
    /// - Parameters:
    ///   - url: the URL of the service, including its path prefix.
    ///   - retries: how often a request is sent again after a temporary failure.
    ///   - state: the session to resume; `nil` for a new one.
    public init(_ url: URL, retries: RetryPolicy = RetryPolicy(), resuming state: State? = nil) {
        self.init(URLSessionTransport(url), retries: retries, resuming: state)
    }

    /// Ends the session and logs its user out. The next event starts another session.
    ///
    /// - Throws: ``RemoteError``, or `CancellationError`. The session may still exist then.
    public func end() async throws {
        try await lock.acquire()
        defer { lock.release() }
        guard token != nil else { return }
        let response = try await send("DELETE", "/session").response
        guard response.status == 204 || response.status == 401 else { throw response.remoteError }
        forget()
    }

    struct Delivery {
        /// The commands for the screen, including those that it has shown before the event ended. Those that it has shown and that are
        /// not among these have been undone.
        var commands: [CommandResponse.Entry]
        /// Whether earlier commands are lost, so that the screen must first render the page's current values.
        var isOutdated: Bool
        var failure: RemoteError?
    }

    /// Sends an event to a page, and returns the commands for its screen.
    ///
    /// - Parameter show: receives commands that arrive before the event has ended, in order, and finishes with the event. They may be
    ///   undone.
    func handle(
        _ event: Event,
        with values: Value.Object,
        on page: String,
        show: AsyncStream<CommandResponse.Entry>.Continuation
    ) async throws -> Delivery {
        defer { show.finish() }
        try await lock.acquire()
        defer { lock.release() }
        try Task.checkCancellation()
        pages.insert(page)
        let response = try await post(event, values, to: page) { show.yield($0) }
        var failure: RemoteError?
        if (200...299).contains(response.status) {
            let answer = try wellFormed { try CommandResponse(response.json) }
            if let token = answer.token { self.token = token }
            try await receive(answer)
        } else {
            failure = response.remoteError
            // If the service has handled the event after all, its commands may be in the history already. If not yet, they arrive
            // with the next event.
            if response.mayHaveGivenCommands { try? await receive(nil) }
        }
        return takeDelivery(to: page, failure)
    }

    // MARK: Updates

    /// Receives the commands that the session has given since the last response, and keeps them for their pages. `wait` is how long to wait for
    /// commands if there are none, in whole seconds up to 50.
    private func receiveUpdates(wait: Int) async throws {
        guard token != nil else { return }
        // Without the lock, so that events do not wait for it.
        let target = "/session/history?since=\(sequence)" + (wait > 0 ? "&wait=\(wait)" : "")
        let (sent, response) = (token, try await send("GET", target).response)
        try await lock.acquire()
        defer { lock.release() }
        // Another session's commands, if an event has found that the session had ended.
        guard token == sent else { return }
        try deliver(history: response)
    }

    /// If `receiving`, asks the service first for commands that an event of another page, another client or the service itself has given.
    func updates(of page: String, receiving: Bool) async throws -> Delivery {
        pages.insert(page)
        if receiving { try await receiveUpdates(wait: 0) }
        return takeDelivery(to: page)
    }

    private func takeDelivery(to page: String, _ failure: RemoteError? = nil) -> Delivery {
        Delivery(
            commands: undelivered.removeValue(forKey: page) ?? [],
            isOutdated: outdated.remove(page) != nil,
            failure: failure
        )
    }

    /// Returns an element whenever there may be new commands of a page, until the task that reads them is cancelled.
    func followUpdates(of page: String) -> AsyncStream<Void> {
        pages.insert(page)
        let (stream, follower) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastFollower += 1
        let number = lastFollower
        followers[number] = follower
        follower.onTermination = { [weak self] _ in Task { await self?.removeFollower(number) } }
        if following == nil { following = Task { [weak self] in await Self.follow { [weak self] in self } } }
        return stream
    }

    private func removeFollower(_ number: Int) {
        followers[number] = nil
        guard followers.isEmpty else { return }
        following.take()?.cancel()
    }

    /// Waits for commands as long as there are followers. One request waits for all pages.
    private static func follow(_ session: @Sendable () -> RemoteSession?) async {
        var failures = 0
        while !Task.isCancelled, let session = session() {
            do {
                // Before its first event, the session has no commands.
                guard await session.token != nil else {
                    try await Task.sleep(for: .seconds(1))
                    continue
                }
                try await session.receiveUpdates(wait: 30)
                failures = 0
                await session.notifyFollowers()
            } catch {
                failures += 1
                try? await Task.sleep(for: .seconds(min(30, 1 << min(failures, 5))))
            }
        }
    }

    private func notifyFollowers() {
        guard !undelivered.isEmpty || !outdated.isEmpty else { return }
        for follower in followers.values { follower.yield() }
    }

    /// The events of a page, and its current values in this session.
    func show(_ page: String) async throws -> PageResponse {
        try await lock.acquire()
        defer { lock.release() }
        var response = try await send("GET", "/" + page.pathSegment).response
        if response.status == 401, token != nil {
            forget()
            response = try await send("GET", "/" + page.pathSegment).response
        }
        return try PageResponse(response.content)
    }

    /// Starts a session if the client has no session, or it has expired. `show` receives commands that arrive before the response.
    private func post(
        _ event: Event,
        _ values: Value.Object,
        to page: String,
        show: @escaping @Sendable (CommandResponse.Entry) -> Void
    ) async throws -> RemoteResponse {
        let body = JSONWriter.bytes { $0.object(["event": .string(event.name), "values": .object(values)]) }
        let key = UUID().uuidString
        let target = "/" + page.pathSegment
        if token == nil { try await start() }
        // Earlier commands that the screen has not shown come first.
        let isUpToDate = undelivered[page] == nil && !outdated.contains(page)
        let streamed = StreamedEvent(transport, page: page, after: isUpToDate ? sequence : nil, show: show)
        let outcome = try await send("POST", target, body: body, key: key, by: streamed.send)
        guard outcome.response.status == 401 else { return outcome.response }
        forget()
        // The session expired after an attempt that may have run the event. It must not run again in another session.
        if outcome.mayHaveRunBefore { return outcome.response }
        try await start()
        return try await send("POST", target, body: body, key: key).response
    }

    private func start() async throws {
        let answer = try await send("POST", "/session").response.content
        guard let token = answer.object?["token"]?.string else {
            throw RemoteError.malformedResponse("It lacks 'token'.")
        }
        self.token = token
    }

    private func forget() {
        token = nil
        sequence = 0
        undelivered = [:]
        outdated = []
    }

    /// Adds the commands of a response to `undelivered`, after lost commands, which it requests from the history. If the answer is `nil`, requests
    /// lost commands only.
    private func receive(_ answer: CommandResponse?) async throws {
        if let answer,
            answer.entries.count(where: { $0.sequence > sequence }) >= answer.sequence.subtractingSaturated(sequence)
        {
            return deliver(answer)
        }
        let history = try await send(
            "GET",
            "/session/history?since=\(sequence)",
            retries: answer == nil ? .never : retries
        ).response
        try deliver(history: history, answer)
    }

    /// Adds the commands of the history to `undelivered`. If it no longer contains them, marks all pages as outdated, and adds only those of
    /// the response.
    private func deliver(history: RemoteResponse, _ answer: CommandResponse? = nil) throws {
        guard history.status == 410 else { return deliver(try wellFormed { try CommandResponse(history.content) }) }
        outdated.formUnion(pages)
        undelivered = [:]
        if let answer {
            deliver(answer)
        } else {
            sequence = max(sequence, RemoteProblem(history)?.members["sequence"]?.integer ?? 0)
        }
    }

    /// Adds new commands to `undelivered`. Ignores pages to which this session has sent no event, because they have no screen.
    private func deliver(_ answer: CommandResponse) {
        for entry in answer.entries where entry.sequence > sequence && pages.contains(entry.page) {
            // A client must ignore commands of an unknown kind.
            if entry.command != nil { undelivered[entry.page, default: []].append(entry) }
        }
        sequence = max(sequence, answer.sequence)
    }

    private func send(
        _ method: String,
        _ target: String,
        body: [UInt8] = [],
        key: String? = nil,
        retries: RetryPolicy? = nil,
        by exchange: RetryPolicy.Exchange? = nil
    ) async throws -> RetryPolicy.Outcome {
        var headers: [String: String] = [:]
        headers["Authorization"] = token.map { "Bearer " + $0 }
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        headers["Idempotency-Key"] = key
        let request = RemoteRequest(method, target, headers: headers, body: body)
        return try await (retries ?? self.retries).send(request, by: exchange ?? transport.send)
    }
}

extension RemoteResponse {
    /// Whether the service may have handled the event: a proxy got no valid response (502), or the response took too long (504).
    fileprivate var mayHaveGivenCommands: Bool { status == 502 || status == 504 }
}
