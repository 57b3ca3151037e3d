import Accounts
import BusinessLogic
import Logging
import ServiceLifecycle
import Synchronization
import Understudy

/// Ends the sessions of an account that another process, such as `account disable`, has disabled, deleted or given a new
/// password.
struct SessionRevocations: Service {
    let store: any AccountStore
    let service: UnderstudyService
    let last: LastRevocation

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .milliseconds(100))
                // A reset starts the numbers again.
                try await service.betweenResets {
                    let after = last.number
                    for revocation in try await waitingForStore({ try await store.sessionRevocations(after: after) }) {
                        try await service.endSessions(ofUser: revocation.account.text)
                        last.number = revocation.number
                    }
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

/// The number of the last revocation that has ended sessions of this process.
final class LastRevocation: Sendable {
    private let value: Mutex<Int>

    init(_ number: Int) {
        value = Mutex(number)
    }

    var number: Int {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
