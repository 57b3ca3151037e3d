import BusinessLogic
import Understudy

func expenseTranslations() throws -> Translations {
    try Translations(catalog: PackageResources.Localizable_xcstrings)
}

func expensePages(store: any ExpenseStoring, mails: any DecisionMailing, clock: any WallClock) -> [Page] {
    @Sendable func recorded(_ context: PageContext) -> Recorded {
        Recorded(store: store, mails: mails, results: context.results)
    }
    return [
        Page("expense", changesUser: false, resultExamples: Recorded.examples) {
            ExpenseController(store: recorded($0), clock: $0.recorded(clock), identity: $0.identity)
        },
        Page("expenses", changesUser: false, resultExamples: Recorded.examples) {
            ExpensesController(store: recorded($0), identity: $0.identity)
        },
        Page("approvals", changesUser: false, resultExamples: Recorded.examples) {
            ApprovalsController(store: recorded($0), mails: recorded($0), identity: $0.identity)
        },
    ]
}
