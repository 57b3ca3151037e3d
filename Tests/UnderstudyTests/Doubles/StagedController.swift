import BusinessLogic
import Synchronization

@testable import Understudy

/// A controller that does what a test lists, one step after the other.
final class StagedController: BusinessLogicController {
    enum Step: Sendable {
        case render(String, Value)
        case alert
        /// Waits for the test.
        case wait(Latch)
        case fail(any Error & Sendable)
        case logIn
    }

    static let events: EventTable<StagedController> = [
        // A test chooses the keys.
        .default("act") { try await $0.act() },
        .event("other") { $0.controllable?.render("other", true) },
    ]

    /// A page whose events do what the test lists: for each run, the next list, and the last list for all further runs.
    static func page(changesUser: Bool? = nil, _ runs: [Step]...) -> Page {
        let rest = Mutex(runs)
        return Page("staged", changesUser: changesUser) { context in
            let identity = changesUser == nil ? nil : context.identity
            return StagedController(identity: identity) {
                rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
            }
        }
    }

    weak var controllable: (any Controllable)?
    typealias State = NoState
    private let identity: (any Identity)?
    private let nextRun: () -> [Step]

    private init(identity: (any Identity)?, nextRun: @escaping () -> [Step]) {
        self.identity = identity
        self.nextRun = nextRun
    }

    private func act() async throws {
        for step in nextRun() {
            switch step {
            case .render(let key, let value): controllable?.render(key, value)
            case .alert: controllable?.showAlert(Message(code: "staged.alert", text: "Stop"))
            case .wait(let latch): await latch.wait()
            case .fail(let error): throw error
            case .logIn: identity?.user = User(username: "batman")
            }
        }
    }
}

/// Where controllers wait until a test opens it.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// How many have come so far.
    var count: Int { state.withLock(\.count) }

    /// Returns when the test has opened it. A cancellation does not end the wait.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.count += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
