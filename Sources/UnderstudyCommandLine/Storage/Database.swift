import AccountsDatabase
import AccountsPostgreSQL
import AccountsSQLite
import BundledControllers
import BusinessLogic
import FoundationEssentials
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

/// A server that uses a database of PostgreSQL, which knows it by the name of its connections.
struct ServerProcess: ObjectValue {
    static let object = ObjectSchema(
        ServerProcess.init(name:version:since:),
        Member("name", \.name),
        Member("version", \.version),
        Member("since", \.since)
    )

    /// The machine, and the number of the process on it.
    let name: String
    let version: String
    /// When its oldest connection was opened; `nil` for this process.
    var since: Timestamp?

    /// This process.
    static var current: ServerProcess {
        let process = ProcessInfo.processInfo
        return ServerProcess(
            name: "\(process.hostName.printable) \(process.processIdentifier)",
            version: Application.current.version
        )
    }

    private static let prefix = "understudy serve "

    /// What the connections are called, such as `understudy serve 1.4.0 4711 web-1`. PostgreSQL cuts a long name of a machine.
    var applicationName: String {
        let words = name.split(separator: " ")
        return "\(Self.prefix)\(version) \(words.last ?? "") \(words.first ?? "")"
    }
}

extension ServerProcess {
    /// `nil` if the connection belongs to a command or another program.
    init?(applicationName: String, since: Timestamp) {
        let words = applicationName.dropFirst(Self.prefix.count).split(separator: " ")
        guard applicationName.hasPrefix(Self.prefix), words.count == 3 else { return nil }
        self.init(name: "\(words[2]) \(words[1])", version: String(words[0]), since: since)
    }
}

extension Database {
    /// The servers that use the database; empty for a file, and if the URI sets another `application_name`.
    func servers() async throws -> [ServerProcess] {
        guard let database = self as? PostgreSQLDatabase else { return [] }
        return try await database.connectionNames().compactMap {
            ServerProcess(applicationName: $0.name, since: $0.since)
        }
    }
}
