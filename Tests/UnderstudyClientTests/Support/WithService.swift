import BusinessLogic
import Foundation
import MicroHTTP
import Understudy
import UnderstudyClient
import UnderstudyTesting

/// Serves pages on a free port of this machine while `body` runs, which is told where.
func withServer<Result>(_ pages: [Page], _ body: (ServerAddress) async throws -> Result) async throws -> Result {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.loops = 1
    configuration.drainTimeout = .milliseconds(100)
    let server = try Server(configuration: configuration, responder: UnderstudyService(pages: pages))
    do {
        let result = try await body(server.address)
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}

/// Serves pages while `body` runs, which is given the way to them.
func withService<Result>(_ pages: [Page], _ body: (Wire) async throws -> Result) async throws -> Result {
    try await withServer(pages) { address in
        guard let url = URL(string: "http://\(address)") else { throw URLError(.badURL) }
        return try await body(Wire(URLSessionTransport(url)))
    }
}

extension RemoteSession {
    /// A session whose waits between attempts are noted instead of waited.
    init(over wire: Wire, attempts: Int = 4, resuming state: State? = nil) {
        self.init(wire, retries: .noted(in: wire.waits, attempts: attempts), resuming: state)
    }
}

extension RetryPolicy {
    static func noted(in waits: Locked<[Duration]>, attempts: Int = 4) -> RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = attempts
        policy.jitter = { 1 }
        policy.sleep = { wait in waits.change { $0.append(wait) } }
        return policy
    }
}

/// A screen whose logic a service runs.
func screen(_ page: String, in session: RemoteSession) -> ResponseRecorder {
    let screen = ResponseRecorder(page: page)
    screen.eventable = RemoteEventable(page, in: session)
    return screen
}

extension ResponseRecorder {
    /// Fills in fields, and tells the logic what happened.
    func send(_ event: Event, _ values: Value.Object = [:]) async throws {
        for (name, value) in values { setValue(value, for: name) }
        try await dispatchEvent(event)
    }

    /// Presses the login button.
    func login(password: Value) async throws {
        try await send("loginButtonPressed", ["username": "batman", "password": password])
    }
}
