import BusinessLogic
import Understudy

/// An expense that waits for a decision, with what a mail to its owner needs.
struct Submission: Codable, Equatable, Sendable {
    var expense: Expense, owner: String
    var language: String?
}

/// Stores expenses.
protocol ExpenseStoring: Sendable {
    func add(_ receipt: Receipt, of user: User, language: String?) async throws

    /// The sum of a user's expenses in the month of that day, without those that are rejected.
    func total(of user: User, inMonthOf day: Day) async throws -> Amount

    /// The expenses of a user, newest first.
    func expenses(of user: User) async throws -> [Expense]

    /// What waits for a decision, oldest first.
    func submitted() async throws -> [Submission]

    /// Approves or rejects an expense.
    ///
    /// - Returns: `false` if it was decided before.
    func decide(_ id: Int, _ status: Status) async throws -> Bool
}

/// Sends mails about decisions.
protocol DecisionMailing: Sendable {
    func send(_ status: Status, about submission: Submission) async throws
}

/// The collaborators of a session that may be recorded: a replay returns the recorded results.
struct Recorded: ExpenseStoring, DecisionMailing {
    let store: any ExpenseStoring
    let mails: any DecisionMailing
    let results: PageContext.Results

    func add(_ receipt: Receipt, of user: User, language: String?) async throws {
        try await results.from("addExpense") { try await store.add(receipt, of: user, language: language) }
    }

    func total(of user: User, inMonthOf day: Day) async throws -> Amount {
        try await results.from("total") { try await store.total(of: user, inMonthOf: day) }
    }

    func expenses(of user: User) async throws -> [Expense] {
        try await results.from("expenses") { try await store.expenses(of: user) }
    }

    func submitted() async throws -> [Submission] {
        try await results.from("submitted") { try await store.submitted() }
    }

    func decide(_ id: Int, _ status: Status) async throws -> Bool {
        try await results.from("decide") { try await store.decide(id, status) }
    }

    func send(_ status: Status, about submission: Submission) async throws {
        try await results.from("decisionMail") { try await mails.send(status, about: submission) }
    }

    /// What the collaborators can return, for `compare`, which calls none.
    static var examples: [ResultExamples] {
        [
            ResultExamples("total") { _ in [Amount(units: 0), Amount(units: 1250)] },
            ResultExamples("expenses") { _ in [[Expense](), [expense]] },
            ResultExamples("submitted") { _ in
                [[], [Submission(expense: expense, owner: "1")], [Submission(expense: expense, owner: "lisa")]]
            },
            ResultExamples("decide") { _ in [true, false] },
        ]
    }

    private static let expense = Expense(
        id: 1,
        title: "Train",
        amount: 40,
        day: "2026-11-20",
        category: .travel,
        status: .submitted,
        username: "lisa"
    )
}
