import BusinessLogic

/// Submits an expense of the logged-in user.
final class ExpenseController: BusinessLogicController {
    static let title = Field<String>("title", minimumLength: 1, maximumLength: 80)
    static let amount = Field<Amount>("amount", in: Amount(units: 1)...5000)
    static let day = Field<Day>("day")
    static let category = Field<Category>("category")
    static let notice = Output<Message>("notice")
    static let total = Output<Amount>("total", description: "The sum of the month, without what is rejected.")

    static let events: EventTable<ExpenseController> = [
        .default(
            "submitButtonPressed",
            reads: title,
            amount,
            day,
            category,
            gives: [.renders(notice, .stored, .inFuture, .tooOld), .renders(total), .alerts(.notLoggedIn)],
            examples: [
                ["title": "Train", "amount": 40, "day": .today(), "category": "travel"],
                ["title": "Lunch", "amount": 5000, "day": .today(-60), "category": "meals"],
                ["title": "Desk", "amount": 4999.99, "day": .today(-61), "category": "equipment"],
                ["title": "Trip", "amount": 0.01, "day": .today(1), "category": "travel"],
            ]
        ) { try await $0.submit(Receipt(title: $1, amount: $2, day: $3, category: $4)) }
    ]

    typealias State = NoState

    weak var controllable: (any Controllable)?
    private let store: any ExpenseStoring
    private let clock: any WallClock
    private let identity: any Identity

    init(store: any ExpenseStoring, clock: any WallClock, identity: any Identity) {
        (self.store, self.clock, self.identity) = (store, clock, identity)
    }

    private func submit(_ receipt: Receipt) async throws {
        guard let user = identity.user else { return showAlert(.notLoggedIn) }
        let today = Day(clock.now)
        guard receipt.day <= today else { return render(Self.notice, .inFuture) }
        guard receipt.day >= today.adding(days: -60) else { return render(Self.notice, .tooOld) }
        // A query does not return what the event itself has written.
        let others = try await store.total(of: user, inMonthOf: receipt.day)
        try await store.add(receipt, of: user, language: identity.client.language)
        render(Self.notice, .stored)
        render(Self.total, others + receipt.amount)
    }
}
