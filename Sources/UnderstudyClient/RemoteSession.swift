internal import BusinessLogic
public import Foundation

/// A session with a service: what the ``RemoteEventable``s of several pages share, as their screens share one user.
///
/// It starts with the first event, and another one starts where the service knows it no more. Its events run one at a time,
/// in the order in which they came. Commands that an answer should have brought and that got lost on the way come with the
/// page's next event, in order; none comes twice.
public actor RemoteSession {
    /// What has to be kept to go on with a session later. The token is a secret.
    public struct State: Codable, Equatable, Sendable {
        /// Names the session to the service.
        public let token: String
        /// The number of the last command that has come.
        public let sequence: Int
    }

    /// The session as it is now; `nil` before it has started. It changes with each event.
    public var state: State? { token.map { State(token: $0, sequence: sequence) } }

    private let transport: any Transport
    private let retries: RetryPolicy
    private let lock = AsyncLock()
    private var token: String?
    private var sequence: Int
    /// Commands that have come, by page, until the page's next event.
    private var undelivered: [String: [Command]] = [:]
    /// The pages that have had events, and those of them whose commands have been lost for good.
    private var pages: Set<String> = []
    private var outdated: Set<String> = []
    /// The last event that got no answer, however often it was sent.
    private var unanswered: (target: String, body: [UInt8], key: String)?

    /// A session.
    ///
    /// - Parameters:
    ///   - transport: the way to the service.
    ///   - retries: how often a request is sent that has got no answer.
    ///   - state: the session to go on with; unless given, a new one.
    public init(_ transport: any Transport, retries: RetryPolicy = RetryPolicy(), resuming state: State? = nil) {
        self.transport = transport
        self.retries = retries
        token = state?.token
        sequence = max(0, state?.sequence ?? 0)
    }

    /// A session with the service at that address, such as `https://understudy.example`.
    public init(_ url: URL, retries: RetryPolicy = RetryPolicy(), resuming state: State? = nil) {
        self.init(URLSessionTransport(url), retries: retries, resuming: state)
    }

    /// Ends the session: who has logged in is logged out. The next event starts another one.
    ///
    /// - Throws: ``RemoteError``, or `CancellationError`; the session may live on then.
    public func end() async throws {
        try await lock.acquire()
        defer { lock.release() }
        guard token != nil else { return }
        let response = try await send("DELETE", "/session").response
        guard response.status == 204 || response.status == 401 else { throw response.refusal }
        forget()
    }

    /// What an event has brought.
    struct Delivery {
        /// What the screen has to do.
        var commands: [Command]
        /// Whether earlier commands are lost, so that the screen has to be painted anew before.
        var isOutdated: Bool
        /// Why the event was not handled, or not to its end, where it was not.
        var failure: RemoteError?
    }

    /// Has the service handle an event.
    ///
    /// - Throws: ``RemoteError``, or `CancellationError`.
    func handle(_ event: Event, with values: Value.Object, on page: String) async throws -> Delivery {
        try await lock.acquire()
        defer { lock.release() }
        try Task.checkCancellation()
        pages.insert(page)
        let response = try await post(event, values, to: page)
        var failure: RemoteError?
        if (200...299).contains(response.status) {
            let answer = try CommandAnswer(response.json)
            if let token = answer.token { self.token = token }
            try await receive(answer)
        } else {
            failure = response.refusal
            // If it is not known whether the event was handled, its commands may be there; else they come with the next one.
            if response.mayHaveGivenCommands { try? await receive(nil) }
        }
        return Delivery(
            commands: undelivered.removeValue(forKey: page) ?? [],
            isOutdated: outdated.remove(page) != nil,
            failure: failure
        )
    }

    /// What a page accepts, and what it shows in this session.
    ///
    /// - Throws: ``RemoteError``, or `CancellationError`.
    func show(_ page: String) async throws -> PageAnswer {
        try await lock.acquire()
        defer { lock.release() }
        var response = try await send("GET", "/" + page.pathSegment).response
        if response.status == 401, token != nil {
            if try await !recoverToken() { forget() }
            response = try await send("GET", "/" + page.pathSegment).response
        }
        return try PageAnswer(response.content)
    }

    /// Posts an event, in a new session where there is none or the service knows it no more.
    private func post(_ event: Event, _ values: Value.Object, to page: String) async throws -> RemoteResponse {
        let body = try Value.object(["event": .string(event.name), "values": .object(values)]).json
        let key = UUID().uuidString
        let target = "/" + page.pathSegment
        if token == nil { try await start() }
        let outcome: RetryPolicy.Outcome
        do {
            outcome = try await send("POST", target, body: body, key: key)
        } catch {
            unanswered = (target, body, key)
            throw error
        }
        guard outcome.response.status == 401 else {
            unanswered = nil
            return outcome.response
        }
        if try await recoverToken() { return try await send("POST", target, body: body, key: key).response }
        forget()
        // The session has ended while the event was under way: it may have run, and must not run again.
        if outcome.mayHaveRunBefore { return outcome.response }
        try await start()
        return try await send("POST", target, body: body, key: key).response
    }

    /// Asks again for the answer that did not come: if its event was a login, the answer has the session's new token. For a
    /// minute the service gives it again, to the same key and body; it never runs the event again with an old token.
    ///
    /// - Returns: whether the session has another token now.
    private func recoverToken() async throws -> Bool {
        guard let lost = unanswered else { return false }
        unanswered = nil
        let response = try await send("POST", lost.target, body: lost.body, key: lost.key).response
        guard response.status == 200, let answer = try? CommandAnswer(response.json), let token = answer.token else {
            return false
        }
        self.token = token
        try await receive(answer)
        return true
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
        unanswered = nil
    }

    /// Keeps the commands of an answer, after those that should have come before. Without an answer that has commands, those
    /// that should have come. Where the service has not kept them all, the screens will have to be painted anew.
    private func receive(_ answer: CommandAnswer?) async throws {
        if let answer, answer.entries.count(where: { $0.sequence > sequence }) >= answer.sequence - sequence {
            return keep(answer)
        }
        let history = try await send(
            "GET",
            "/session/history?since=\(sequence)",
            retries: answer == nil ? .never : retries
        ).response
        guard history.status == 410 else { return keep(try CommandAnswer(history.content)) }
        outdated.formUnion(pages)
        undelivered = [:]
        if let answer {
            keep(answer)
        } else {
            sequence = max(sequence, RemoteProblem(history)?.members["sequence"]?.integer ?? 0)
        }
    }

    /// Keeps commands that have not come before, for their pages. Those of a page that has had no event here have nobody to
    /// go to.
    private func keep(_ answer: CommandAnswer) {
        for entry in answer.entries where entry.sequence > sequence && pages.contains(entry.page) {
            if let command = entry.command { undelivered[entry.page, default: []].append(command) }
        }
        sequence = max(sequence, answer.sequence)
    }

    private func send(
        _ method: String,
        _ target: String,
        body: [UInt8] = [],
        key: String? = nil,
        retries: RetryPolicy? = nil
    ) async throws -> RetryPolicy.Outcome {
        var headers: [String: String] = [:]
        headers["Authorization"] = token.map { "Bearer " + $0 }
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        headers["Idempotency-Key"] = key
        let request = RemoteRequest(method, target, headers: headers, body: body)
        return try await (retries ?? self.retries).send(request, by: transport)
    }
}

extension RemoteResponse {
    /// Whether an event that was answered so may have been handled: a proxy, or the service itself, has waited for too long.
    fileprivate var mayHaveGivenCommands: Bool { status == 502 || status == 504 }
}
