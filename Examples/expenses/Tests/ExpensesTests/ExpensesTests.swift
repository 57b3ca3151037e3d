import Accounts
import BusinessLogic
import Testing
import Understudy
import UnderstudyCommandLine
import UnderstudyTesting

@testable import expenses

@Suite struct ExpensesTests {
    private let clock = ManualClock()
    private let topics = Topics()
    private let outbox: MemoryOutbox
    private let mails: DecisionMails

    init() throws {
        outbox = MemoryOutbox(clock: clock)
        let writer = PlainMails(try expenseTranslations().text)
        mails = DecisionMails(mails: UserMails(outbox: outbox, writer: writer) { "\($0)@example.com" })
    }

    private var today: Day { Day(clock.now) }

    private func pages(_ store: any ExpenseStoring) -> [Page] {
        expensePages(store: store, mails: mails, clock: clock) + [userPage]
    }

    private func table() throws -> ExpenseTable {
        ExpenseTable(database: try .inMemory(migrations, topics: topics))
    }

    private func expense(_ status: Status) -> Expense {
        Expense(id: 1, title: "Train", amount: 40, day: today, category: .travel, status: status, username: "lisa")
    }

    private func receipt(_ day: Day) -> Value.Object {
        ["title": "Train", "amount": 40, "day": .string("\(day)"), "category": "travel"]
    }

    @Test(arguments: Rehearsal.allCases)
    func `a manager approves an expense, and its owner sees that and gets a mail`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages(try table()), topics: topics, clock: clock) { screens in
            try await screens["user"].send("chosen", ["name": "lisa"])
            try await screens["expense"].send("submitButtonPressed", receipt(today))
            screens["expense"].expect(ExpenseController.notice, .stored)
            screens["expense"].expect(ExpenseController.total, 40)
            try await screens["expenses"].send("viewDidLoad")
            screens["expenses"].expect(ExpensesController.expenses, [expense(.submitted)])
            try await screens["approvals"].send("viewDidLoad")
            screens["approvals"].expect(.showAlert(.managersOnly))

            try await screens["user"].send("chosen", ["name": "marge"])
            try await screens["approvals"].send("approveButtonPressed", ["id": 1])
            screens["approvals"].expect(ApprovalsController.notice, .decided)
            screens["approvals"].expect(ApprovalsController.expenses, [])

            try await screens["user"].send("chosen", ["name": "lisa"])
            screens["expenses"].exhaustivity = .off
            try await screens["expenses"].send("viewDidLoad")
            screens["expenses"].expect(ExpensesController.expenses, [expense(.approved)])
        }
        #expect(outbox.mails.map(\.recipient) == ["lisa@example.com"])
        #expect(outbox.mails.map(\.subject) == ["Your expense was approved"])
        #expect(outbox.mails.map(\.text) == ["Your expense Train was approved.\n"])
    }

    @Test(arguments: Rehearsal.allCases)
    func `a decision shows at once`(rehearsal: Rehearsal) async throws {
        let store = try table()
        try await rehearsal.run(pages(store), topics: topics, clock: clock) { screens in
            try await screens["user"].send("chosen", ["name": "lisa"])
            screens["expense"].exhaustivity = .off
            try await screens["expense"].send("submitButtonPressed", receipt(today))
            try await screens["expenses"].send("viewDidLoad")
            screens["expenses"].expect(ExpensesController.expenses, [expense(.submitted)])
            // In the session of a manager.
            #expect(try await store.decide(1, .approved))
            try await screens.advance(by: .zero)
            screens["expenses"].expect(ExpensesController.expenses, [expense(.approved)])
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `an expense is at most sixty days old`(rehearsal: Rehearsal) async throws {
        let first = today
        try await rehearsal.run(pages(try table()), topics: topics, clock: clock) { screens in
            let screen = screens["expense"]
            try await screens["user"].send("chosen", ["name": "lisa"])
            try await screen.send("submitButtonPressed", receipt(first.adding(days: 1)))
            screen.expect(ExpenseController.notice, .inFuture)
            try await screens.advance(by: .seconds(60 * 86_400))
            screen.exhaustivity = .off
            try await screen.send("submitButtonPressed", receipt(first))
            screen.expect(ExpenseController.notice, .stored)
            try await screens.advance(by: .seconds(86_400))
            try await screen.send("submitButtonPressed", receipt(first))
            screen.expect(ExpenseController.notice, .tooOld)
        }
    }

    @Test func `one of two decisions counts, and sends a mail`() async throws {
        let store = try table()
        try await store.add(
            Receipt(title: "Train", amount: 40, day: today, category: .travel),
            of: User(username: "lisa"),
            language: "de"
        )
        let submitted = try await store.submitted()
        // Both managers have read the list before either decides.
        let stale = StaleList(store: store, list: submitted)
        for (name, event, notice) in [
            ("marge", "approveButtonPressed", Message.decided), ("maude", "rejectButtonPressed", .notOpen),
        ] as [(String, Event, Message)] {
            let identity = StubIdentity(ClientContext(user: User(username: name, roles: ["manager"])))
            let controller = ApprovalsController(store: stale, mails: mails, identity: identity)
            let screen = TestControllable(controller, exhaustivity: .off)
            try await screen.send(event, ["id": 1])
            screen.expect(ApprovalsController.notice, notice)
        }
        #expect(try await store.expenses(of: User(username: "lisa")).map(\.status) == [.approved])
        #expect(outbox.mails.map(\.text) == ["Ihre Ausgabe Train wurde genehmigt.\n"])
    }

    @Test func `no user decides about their own expense`() async throws {
        let result = try await check(
            .never("a manager has decided about their own expense") { situation in
                situation.stored.object?["marge"] == "approved" || situation.stored.object?["marge"] == "rejected"
            },
            .sometimes("an expense is approved") { $0.stored.object?["lisa"] == "approved" },
            depth: 5
        ) {
            let store = FirstExpenses()
            return CheckedPages(pages(store).filter { $0.name != "expenses" && $0.name != "expense" }, clock: clock) {
                store.statuses
            }
        }
        #expect(result.situations > 3)
    }

    @Test func `the catalog has a German text for each message`() throws {
        let translations = try expenseTranslations()
        #expect(translations.text(of: .tooOld, in: "de-AT") == "Der Tag liegt mehr als 60 Tage zurück")
        #expect(translations.text(of: Message(code: "choice.travel", text: ""), in: "de") == "Reise")
    }
}
