import BusinessLogic

/// Shows the expenses of the logged-in user, newest first.
final class ExpensesController: BusinessLogicController {
    static let expenses = Output<[Expense]>("expenses")

    static let events: EventTable<ExpensesController> = [
        .default("viewDidLoad", gives: [.renders(expenses), .alerts(.notLoggedIn)]) { try await $0.show() }.safe(),
        .update("expensesChanged", on: .expenses, gives: [.renders(expenses), .alerts(.notLoggedIn)]) {
            try await $0.show()
        },
    ]

    typealias State = NoState

    weak var controllable: (any Controllable)?
    private let store: any ExpenseStoring
    private let identity: any Identity

    init(store: any ExpenseStoring, identity: any Identity) {
        (self.store, self.identity) = (store, identity)
    }

    private func show() async throws {
        guard let user = identity.user else { return showAlert(.notLoggedIn) }
        render(Self.expenses, try await store.expenses(of: user))
    }
}
