import AccountsDatabase
import AccountsPostgreSQL
import AccountsSQLite
import BundledControllers
import BusinessLogic
import Understudy

/// A database with everything that the program stores.
protocol Database: SQLDatabase {
    /// The time by which failed logins and sessions expire.
    var time: Timestamp { get async throws }
    var products: any Repository { get }
    func addProducts(_ products: [Product]) async throws
}

extension SQLiteDatabase: Database {
    var time: Timestamp { SystemClock().now }
}

extension PostgreSQLDatabase: Database {}
