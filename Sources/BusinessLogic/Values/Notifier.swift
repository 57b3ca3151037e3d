/// Actions that run whenever something has happened. They stay registered, and must not block.
package final class Notifier: Sendable {
    /// A structure, because a closure that is stored in a generic type by itself gets another reabstraction thunk at each access, which calls
    /// all the earlier ones.
    private struct Action: Sendable {
        let run: @Sendable () -> Void
    }

    private let actions = LockedValue<[Action]>([])

    package init() {}

    package func add(_ action: @escaping @Sendable () -> Void) { actions.change { $0.append(Action(run: action)) } }

    /// An action may register another one.
    package func notify() {
        for action in actions.value { action.run() }
    }
}
