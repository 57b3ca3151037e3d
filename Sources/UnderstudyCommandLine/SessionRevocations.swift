import Accounts
import BusinessLogic
import Logging
import ServiceLifecycle
import Understudy

/// Ends sessions whose accounts have been disabled or deleted, or have got another password: by the command line, say.
struct SessionRevocations: Service {
    let store: any AccountStore
    let service: UnderstudyService
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // Sessions do not outlive the process: only what ends from now on counts.
            var last = try await waitingForStore { try await store.sessionRevocations(after: 0).last?.number ?? 0 }
            while true {
                try await Task.sleep(for: .milliseconds(100))
                let after = last
                for ending in try await waitingForStore({ try await store.sessionRevocations(after: after) }) {
                    try await service.endSessions(ofUser: ending.account.text)
                    last = ending.number
                }
            }
        }
    }

    /// Asks the store again and again while it does not answer.
    private func waitingForStore<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        while true {
            do {
                return try await body()
            } catch is CollaboratorError {
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
