import BusinessLogic
import Synchronization
import Understudy

@testable import expenses

/// Logs in a user without a password. Names that begin with m are those of managers.
final class UserController: BusinessLogicController {
    static let name = Field<String>("name")
    static let events: EventTable<UserController> = [
        .default("chosen", reads: name, examples: [["name": "lisa"], ["name": "marge"]]) {
            $0.identity.user = User(username: $1, id: $1, roles: $1.utf8.starts(with: "m".utf8) ? ["manager"] : [])
        }
    ]

    typealias State = NoState
    weak var controllable: (any Controllable)?
    private let identity: any Identity

    init(identity: any Identity) {
        self.identity = identity
    }
}

let userPage = Page("user") { UserController(identity: $0.identity) }

/// A list that was read before another manager has decided.
struct StaleList: ExpenseStoring {
    let store: any ExpenseStoring
    let list: [Submission]

    func add(_ receipt: Receipt, of user: User, language: String?) {}
    func total(of user: User, inMonthOf day: Day) -> Amount { 0 }
    func expenses(of user: User) -> [Expense] { [] }
    func submitted() -> [Submission] { list }
    func decide(_ id: Int, _ status: Status) async throws -> Bool { try await store.decide(id, status) }
}

/// An expense of marge with the ID 0, and one of lisa with the ID 1.
final class FirstExpenses: ExpenseStoring {
    private let owners = ["marge", "lisa"]
    private let stored = Mutex([Status.submitted, .submitted])

    var statuses: [String: Status] {
        Dictionary(uniqueKeysWithValues: zip(owners, stored.withLock { $0 }))
    }

    func add(_ receipt: Receipt, of user: User, language: String?) {}
    func total(of user: User, inMonthOf day: Day) -> Amount { 0 }
    func expenses(of user: User) -> [Expense] { [] }

    func submitted() -> [Submission] {
        stored.withLock { stored in
            stored.indices.filter { stored[$0] == .submitted }.map {
                let expense = Expense(
                    id: $0,
                    title: "Train",
                    amount: 40,
                    day: "2026-11-20",
                    category: .travel,
                    status: .submitted,
                    username: owners[$0]
                )
                return Submission(expense: expense, owner: owners[$0])
            }
        }
    }

    func decide(_ id: Int, _ status: Status) -> Bool {
        stored.withLock {
            guard $0[id] == .submitted else { return false }
            $0[id] = status
            return true
        }
    }
}
