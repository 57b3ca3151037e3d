import Synchronization

/// A controller that does what a test lists, one step after the other.
package final class StagedController: StatelessController, BusinessLogicController {
    package enum Step: Sendable {
        case render(String, Value)
        case alert(Message)
        case goToPage(String)
        /// Waits for the test.
        case wait(Latch)
        case fail(any Error & Sendable)
        case logIn
    }

    package static let events: EventTable<StagedController> = [
        // A test chooses the keys.
        .default("act") { try await $0.act() },
        .event("other") { $0.controllable?.render("other", true) },
    ]

    /// A page whose events do what the test lists: for each run, the next list, and the last list for all further runs.
    package static func page(changesUser: Bool? = nil, _ runs: [Step]...) -> Page {
        let rest = Mutex(runs)
        return Page("staged", changesUser: changesUser) { context in
            let identity = changesUser == nil ? nil : context.identity
            return StagedController(identity: identity) {
                rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
            }
        }
    }

    let identity: (any Identity)?
    let nextRun: () -> [Step]

    private init(identity: (any Identity)?, nextRun: @escaping () -> [Step]) {
        self.identity = identity
        self.nextRun = nextRun
    }

    func act() async throws {
        for step in nextRun() {
            switch step {
            case .render(let key, let value): controllable?.render(key, value)
            case .alert(let message): controllable?.showAlert(message)
            case .goToPage(let name): controllable?.goToPage(name)
            case .wait(let latch): await latch.wait()
            case .fail(let error): throw error
            case .logIn: identity?.user = User(username: "batman")
            }
        }
    }
}
