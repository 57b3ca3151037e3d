import BundledControllers
import Understudy
import UnderstudyCommandLine

var application = Application(title: "Expenses", version: "1.0") { dependencies in
    let database = try dependencies.database ?? .inMemory(migrations)
    let pages = expensePages(
        store: ExpenseTable(database: database),
        mails: DecisionMails(mails: dependencies.mails),
        clock: dependencies.clock
    )
    // The login leads to `home`, which also logs users out.
    let bundled = Page.bundled(dependencies).filter { ["login", "home"].contains($0.name) }
    return pages + bundled + Page.accounts(dependencies)
}
application.migrations = migrations
application.translations = try expenseTranslations()
application.templates = [
    "expenses": String(decoding: PackageResources.expenses_mustache, as: UTF8.self),
    "approvals": String(decoding: PackageResources.approvals_mustache, as: UTF8.self),
]
application.assets = ["look.css": PackageResources.look_css]
try await application.run()
