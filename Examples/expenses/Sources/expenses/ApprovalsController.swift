import BusinessLogic

/// Shows managers what is submitted, and approves or rejects it.
final class ApprovalsController: BusinessLogicController {
    static let id = Field<Int>("id")
    static let expenses = Output<[Expense]>("expenses")
    static let notice = Output<Message>("notice")

    static let events: EventTable<ApprovalsController> = [
        .default("viewDidLoad", gives: [.renders(expenses), .alerts(.managersOnly)]) { try await $0.show() }.safe(),
        decision("approveButtonPressed", .approved),
        decision("rejectButtonPressed", .rejected),
        .update("expensesChanged", on: .expenses, gives: [.renders(expenses), .alerts(.managersOnly)]) {
            try await $0.show()
        },
    ]

    private static func decision(_ event: Event, _ status: Status) -> EventRow<ApprovalsController> {
        .event(
            event,
            reads: id,
            gives: [.renders(notice, .decided, .notOpen, .ownExpense), .renders(expenses), .alerts(.managersOnly)],
            examples: [["id": 0], ["id": 1]]
        ) { try await $0.decide($1, status) }
    }

    typealias State = NoState

    weak var controllable: (any Controllable)?
    private let store: any ExpenseStoring
    private let mails: any DecisionMailing
    private let identity: any Identity

    init(store: any ExpenseStoring, mails: any DecisionMailing, identity: any Identity) {
        (self.store, self.mails, self.identity) = (store, mails, identity)
    }

    private var manager: User? { identity.user.flatMap { $0.isManager ? $0 : nil } }

    private func show() async throws {
        guard manager != nil else { return showAlert(.managersOnly) }
        render(Self.expenses, try await store.submitted().map(\.expense))
    }

    private func decide(_ id: Int, _ status: Status) async throws {
        guard let manager else { return showAlert(.managersOnly) }
        let submitted = try await store.submitted()
        guard let submission = submitted.first(where: { $0.expense.id == id }) else {
            return render(Self.notice, .notOpen)
        }
        guard submission.owner != manager.owner else { return render(Self.notice, .ownExpense) }
        guard try await store.decide(id, status) else { return render(Self.notice, .notOpen) }
        try await mails.send(status, about: submission)
        render(Self.notice, .decided)
        render(Self.expenses, submitted.map(\.expense).filter { $0.id != id })
    }
}
