import Synchronization

/// Whether the service accepts requests.
final class Readiness: Sendable {
    /// The states in their order: a service never returns to an earlier one.
    enum State: UInt8, AtomicRepresentable {
        /// The server of the service does not listen yet.
        case starting
        case ready
        /// The server is about to stop, and serves until then.
        case leaving
        /// The server stops.
        case draining
    }

    private let current = Atomic(State.ready)

    var state: State { current.load(ordering: .acquiring) }

    /// Called for a service whose server does not listen yet.
    func expectServer() {
        change(from: .ready, to: .starting)
    }

    /// Called when the server listens.
    func serverListens() {
        change(from: .starting, to: .ready)
    }

    func startLeaving() {
        change(from: .ready, to: .leaving)
    }

    func startDraining() {
        current.store(.draining, ordering: .releasing)
    }

    private func change(from old: State, to new: State) {
        _ = current.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
    }
}
