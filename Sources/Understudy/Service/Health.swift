import Synchronization
import BusinessLogic
import HTTPMessages
import SessionStorage
import UnderstudyPages

final class Readiness: Sendable {
    /// The states in their order: a service never returns to an earlier one.
    enum State: UInt8, AtomicRepresentable {
        case starting
        case ready
        /// The server is about to stop, and serves until then.
        case leaving
        case draining
    }

    private let current = Atomic(State.ready)
    fileprivate let isWaiting = Atomic(false)

    var state: State { current.load(ordering: .acquiring) }

    func startDraining() { current.store(.draining, ordering: .releasing) }

    /// Does nothing in any state but the old one.
    func change(from old: State, to new: State) {
        _ = current.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
    }
}

final class Liveness: Sendable {
    /// See `Notifier` for the reason.
    private struct Check {
        let isAlive: @Sendable () -> Bool
    }

    private let check = Mutex(Check { true })

    var isAlive: Bool { check.withLock { $0 }.isAlive() }

    func watch(_ isAlive: @escaping @Sendable () -> Bool) {
        check.withLock { $0 = Check(isAlive: isAlive) }
    }
}

extension UnderstudyService {
    package func waitForDatabase() { readiness.isWaiting.store(true, ordering: .relaxed) }

    func showLiveness() throws -> Response {
        if !isAlive { throw Self.unavailable("An event loop is blocked.") }
        return .text("ok\n")
    }

    func showReadiness() throws -> Response {
        switch readiness.state {
        case .starting where readiness.isWaiting.load(ordering: .relaxed):
            throw Self.unavailable("The server waits for the database: its log has the cause.", part: "database")
        case .starting: throw Self.unavailable("The server is starting.")
        case .ready: break
        case .leaving, .draining: throw Self.unavailable("The server is stopping.")
        }
        if configuration.sessionStore?.isAvailable == false {
            throw Self.unavailable("The database cannot be reached or written.", part: "database")
        }
        if !configuration.clock.isReliable {
            throw Self.unavailable(
                "This machine's clock differs from the database's by more than a minute.",
                part: "clock"
            )
        }
        return .text((["ok"] + configuration.readinessHints()).map { $0 + "\n" }.joined())
    }

    /// What `/readyz` responds now. Samples the metrics.
    package func sampleHealth() -> (status: Int, body: String) {
        let response: Response
        do {
            response = try showReadiness()
        } catch {
            response = (Problem(error) ?? Problem(.internal)).response(id: "", below: configuration.pathPrefix)
        }
        metrics.sample(isReady: response.status == 200)
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    private static func unavailable(_ detail: String, part: Value? = nil) -> Problem {
        Problem(.unavailable, detail, members: part.map { ["part": $0] } ?? [:], retryAfter: .seconds(1))
    }
}
