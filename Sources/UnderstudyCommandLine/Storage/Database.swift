import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import BundledControllers
import BusinessLogic
import SessionStorage

/// A database with everything that the program stores.
protocol Database: DeviceStore, ThrottleStore {
    var products: any Repository { get }
    func addProducts(_ products: [Product]) async throws
    func sessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore

    func account(userID: String) async throws -> Account?
    func devices(of account: AccountID) async throws -> [Device]
    func savedSessions(of account: AccountID) async throws -> [StoredSession]
    func sharedSessions(of account: AccountID) async throws -> [SharedSession]
    func failureCounts(of accounts: [AccountID]) async throws -> [AccountID: FailureCount]
}

extension SQLiteDatabase: Database {}
extension PostgreSQLDatabase: Database {}
