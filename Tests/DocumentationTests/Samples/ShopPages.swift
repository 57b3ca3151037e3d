// The sample of docs/accounts.md.
import Accounts
import AccountsSQLite
import BundledControllers
import BundledPages
import Understudy

func shopPages() throws -> [Page] {
    let database = try SQLiteDatabase(path: "guestbook.sqlite")
    let policy = try ServicePasswordPolicy(minimum: 15)
    let accounts = AccountService(
        database,
        hasher: PasswordHasher(),
        clock: SystemClock()
    )
    let pages = Page.bundled(
        credentials: accounts,
        userIDs: accounts,
        passwordPolicy: policy,
        accounts: accounts,
        repository: database.products,
        personSaving: accounts
    )
    return pages
}
