@testable import MicroHTTP

/// A gate at which handlers wait until a test opens it. A cancellation does not end the wait.
final class Gate: Sendable {
    private let opening = CompletionSignal()

    /// The number of handlers that have reached the gate.
    let arrivals = Tally()

    /// Returns when the gate is open.
    func pass() async {
        arrivals.add()
        await opening.wait()
    }

    /// Lets all waiting and later handlers through.
    func open() {
        opening.signal()
    }
}
