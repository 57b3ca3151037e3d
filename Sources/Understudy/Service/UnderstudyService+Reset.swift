import BusinessLogic
import HTTPMessages
import Synchronization
import UnderstudyPages

/// A service can be reset to what it was after its start, for tests of its clients, if ``ServiceConfiguration/isResettable`` is set.
extension UnderstudyService {
    /// Runs `body` while the service is not reset.
    package func betweenResets<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let resetGate else { return try await body() }
        await resetGate.enter()
        defer { resetGate.leave() }
        return try await ResetGate.$isEntered.withValue(true) {
            _ = isolation
            return try await body()
        }
    }

    /// Ends all sessions, forgets the requests of each address, resets the clock, and restores the sessions of the store, as at the start.
    /// Requests that have begun end before; later ones wait.
    ///
    /// - Parameters:
    ///   - clock: the clock of the whole process.
    ///   - restoreData: resets everything that the service does not store itself. If it throws, nothing else changes.
    /// - Throws: ``Problem`` `unavailable` if the service is not ready; `overloaded` if requests still run after five seconds; what
    ///   `restoreData` throws; the error of the session store.
    func reset(_ clock: AdvanceableClock, _ restoreData: () async throws -> Void) async throws {
        guard readiness.state == .ready, let resetGate else {
            throw Problem(.unavailable, "The server is not ready.", retryAfter: .seconds(1))
        }
        try await resetGate.reset {
            try await restoreData()
            liveSessions.removeAll()
            requestLimit?.reset()
            // The revocations that it counts may be gone.
            shared?.lastRevocation.store(0, ordering: .relaxed)
            // After the sessions have ended, because it wakes timers.
            clock.reset()
            try await restoreSessions()
        }
    }
}

/// A service that can be reset. Its requests run between resets.
struct ResettableResponder: Responder {
    let responder: any Responder
    let service: UnderstudyService

    func respond(to request: Request) async -> Response {
        await service.betweenResets { await responder.respond(to: request) }
    }

    func prepareStream(_ head: inout Response, of request: Request) {
        responder.prepareStream(&head, of: request)
    }

    func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        responder.reject(rejection, of: request)
    }

    func loopWasBlocked(by request: Request?, for duration: Duration) {
        responder.loopWasBlocked(by: request, for: duration)
    }
}
