import Accounts
import BusinessLogic
import Logging
import ServiceLifecycle
import Understudy

/// Ends the sessions of an account that another process, such as `account disable`, has disabled, deleted or given a new
/// password.
struct SessionRevocations: Service {
    let store: any AccountStore
    let service: UnderstudyService
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // Earlier revocations concern sessions of earlier processes, which have ended with them.
            var last = try await waitingForStore { try await store.sessionRevocations(after: 0).last?.number ?? 0 }
            while true {
                try await Task.sleep(for: .milliseconds(100))
                let after = last
                for revocation in try await waitingForStore({ try await store.sessionRevocations(after: after) }) {
                    try await service.endSessions(ofUser: revocation.account.text)
                    last = revocation.number
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
