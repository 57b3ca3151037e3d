import BusinessLogic
import RateLimiting
import SessionStorage
import Synchronization
import UnderstudyPages

/// A service can be reset to what it was after its start, for tests of its clients, if ``ServiceConfiguration/isResettable`` is set.
extension UnderstudyService {
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

    /// Restores a state, and forgets the requests of each address. Sessions that are not part of the state end. Requests that have begun end before;
    /// later ones wait. If the data cannot be restored, nothing else changes. The clock is that of the whole process.
    ///
    /// - Throws: ``Problem`` `unavailable` if the service is not ready; `overloaded` if requests still run after five seconds.
    func reset(_ clock: AdvanceableClock, to state: SavedState) async throws {
        let gate = try readyGate
        try await gate.reset {
            try await state.data.restore()
            let keys = Set(state.sessions.compactMap(\.key))
            liveSessions.removeAll { session in session.values.key.map(keys.contains) ?? false }
            requestLimit?.reset()
            // The revocations that it counts may be gone.
            shared?.lastRevocation.store(0, ordering: .relaxed)
            // After the sessions have ended, because it wakes timers.
            if let time = state.time { clock.set(toSteady: time) } else { clock.reset() }
            try await restoreSessions()
            addSessions(state.sessions)
        }
    }

    /// Everything that the service and its data contain now. Throws as ``reset(_:to:)``, and requests wait as there.
    ///
    /// - Parameter saveData: saves everything that the service does not store itself.
    func savedState(_ clock: AdvanceableClock, _ saveData: () async throws -> SavedData) async throws -> SavedState {
        let gate = try readyGate
        return try await gate.reset {
            // What they remove from the data must not be part of the state, because they would not run again.
            await sessionEnds?.runDue()
            let data = try await saveData()
            return SavedState(data: data, sessions: try copySessions(), time: clock.steady)
        }
    }

    private var readyGate: ResetGate {
        get throws(Problem) {
            guard readiness.state == .ready, let resetGate else {
                throw Problem(.unavailable, "The server is not ready.", retryAfter: .seconds(1))
            }
            return resetGate
        }
    }
}

package struct SavedData: Sendable {
    /// If it throws, it has changed nothing.
    package let restore: @Sendable () async throws -> Void

    package init(restore: @escaping @Sendable () async throws -> Void) {
        self.restore = restore
    }
}

struct SavedState: Sendable {
    let data: SavedData
    var sessions: [StoredSession] = []
    /// The clock's steady time; `nil` for the time of the machine.
    var time: Timestamp?
}
