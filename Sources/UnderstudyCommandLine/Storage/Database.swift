import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import BundledControllers
import BusinessLogic
import SessionStorage
import Understudy

/// A database with everything that the program stores.
protocol Database: DeviceStore, ThrottleStore {
    /// The time by which failed logins and sessions expire.
    var time: Timestamp { get async throws }
    var products: any Repository { get }
    func addProducts(_ products: [Product]) async throws
    func sessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore

    func account(userID: String) async throws -> Account?
    func devices(of account: AccountID) async throws -> [Device]
    func savedSessions(of account: AccountID) async throws -> [StoredSession]
    func sharedSessions(of account: AccountID) async throws -> [SharedSession]
    func failureCounts(of accounts: [AccountID]) async throws -> [AccountID: FailureCount]
}

extension SQLiteDatabase: Database {
    var time: Timestamp { SystemClock().now }
}

extension PostgreSQLDatabase: Database {}
