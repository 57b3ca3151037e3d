internal import Synchronization

/// What to do when this process has added a mail to an outbox.
package final class MailAdditions: Sendable {
    /// A structure, because a closure that is stored in a generic type by itself gets another reabstraction thunk at each access, which calls
    /// all the earlier ones.
    private struct Action {
        let run: @Sendable () -> Void
    }

    private let actions = Mutex<[Action]>([])

    package init() {}

    /// Registers an action.
    package func onAddition(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(Action(run: action)) }
    }

    /// Runs the actions.
    package func notify() {
        for action in actions.withLock({ $0 }) { action.run() }
    }
}
