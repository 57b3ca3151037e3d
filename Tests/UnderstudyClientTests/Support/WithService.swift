/// Serves pages on a free local port while `body` runs.
func withServer<Result>(_ pages: [Page], _ body: (ServerAddress) async throws -> Result) async throws -> Result {
    try await withRunningServer(UnderstudyService(pages: pages)) {
        $0.drainTimeout = .milliseconds(100)
    } _: {
        try await body($0.address)
    }
}

/// Serves pages while `body` runs with a transport to them.
func withService<Result>(_ pages: [Page], _ body: (LossyTransport) async throws -> Result) async throws -> Result {
    try await withServer(pages) { address in
        guard let url = URL(string: "http://\(address)") else { throw URLError(.badURL) }
        return try await body(LossyTransport(URLSessionTransport(url)))
    }
}

extension RemoteSession {
    /// A session that records the delays before retries instead of waiting.
    init(over transport: LossyTransport, attempts: Int = 4, resuming state: State? = nil) {
        self.init(transport, retries: .recording(in: transport.delays, attempts: attempts), resuming: state)
    }
}

extension RetryPolicy {
    static func recording(in delays: LockedValue<[Duration]>, attempts: Int = 4) -> RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = attempts
        policy.jitter = { 1 }
        policy.sleep = { delay in delays.append(delay) }
        return policy
    }
}

/// A screen whose logic runs on a service.
func screen(_ page: String, in session: RemoteSession) -> ResponseRecorder {
    let screen = ResponseRecorder(page: page)
    screen.eventable = RemoteEventable(page, in: session)
    return screen
}

extension ResponseRecorder {
    /// Fills in fields, and sends an event.
    func send(_ event: Event, _ values: Value.Object = [:]) async throws {
        for (name, value) in values { setValue(value, for: name) }
        try await dispatchEvent(event)
    }

    /// Presses the login button.
    func login(password: Value) async throws {
        try await send("loginButtonPressed", ["username": "batman", "password": password])
    }
}
