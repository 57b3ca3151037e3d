import Synchronization

/// Lets the next calls of collaborators fail or take longer, so that a test finds out what its client does then.
///
/// Any number of tasks may use it at the same time.
package final class CollaboratorFaults: Sendable {
    package struct Fault: Equatable, Sendable {
        /// A call fails with it, without calling the collaborator; `nil` if it does not fail.
        package let failure: CollaboratorFailure?
        /// The duration before a call, in real time.
        package let delay: Duration
        /// The number of calls, at least 1.
        package fileprivate(set) var times: Int

        package init(failure: CollaboratorFailure?, delay: Duration, times: Int) {
            self.failure = failure
            self.delay = delay
            self.times = times
        }
    }

    fileprivate struct State {
        var faults: [String: Fault] = [:]
        var delays: Set<Task<Void, Never>> = []
    }

    package static let maximum = 16

    private let state = Mutex(State())

    package init() {}

    /// The faults whose calls have not all happened, by the names of the collaborators.
    package var all: [String: Fault] { state.withLock(\.faults) }

    /// Sets the fault of a collaborator, which has the name that recordings use, in place of its former one. Returns `false`, and changes nothing, if
    /// too many other collaborators have a fault.
    package func set(_ fault: Fault, for collaborator: String) -> Bool {
        state.withLock { state in
            guard state.faults[collaborator] != nil || state.faults.count < Self.maximum else { return false }
            state.faults[collaborator] = fault
            return true
        }
    }

    /// Also ends the delays that run.
    package func removeAll() {
        state.withLock { state in
            state.faults = [:]
            for delay in state.delays { delay.cancel() }
        }
    }

    /// Waits and fails as the fault of a collaborator demands, if it has one. Call it before each call of the collaborator.
    func apply(to collaborator: String) async throws {
        guard let (fault, delay) = state.withLock({ $0.take(collaborator) }) else { return }
        if let delay {
            await withTaskCancellationHandler {
                await delay.value
            } onCancel: {
                delay.cancel()
            }
            state.withLock { _ = $0.delays.remove(delay) }
            try Task.checkCancellation()
        }
        if let failure = fault.failure { throw failure.error }
    }
}

extension CollaboratorFaults.State {
    fileprivate mutating func take(
        _ collaborator: String
    ) -> (fault: CollaboratorFaults.Fault, delay: Task<Void, Never>?)? {
        guard let fault = faults[collaborator] else { return nil }
        faults[collaborator]?.times -= 1
        if fault.times <= 1 { faults[collaborator] = nil }
        guard fault.delay > .zero else { return (fault, nil) }
        let delay = Task { _ = try? await Task.sleep(for: fault.delay) }
        delays.insert(delay)
        return (fault, delay)
    }
}
