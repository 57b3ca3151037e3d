import Accounts
import BusinessLogic
import Logging
import ServiceLifecycle
import Understudy

/// Ends the sessions of accounts that another process has disabled or deleted, or given a new password: `account disable`, for
/// instance.
struct SessionRevocations: Service {
    let store: any AccountStore
    let service: UnderstudyService
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // Sessions do not outlive the process: earlier revocations concern no session of this one.
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

    /// Repeats a query until the store is available.
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
