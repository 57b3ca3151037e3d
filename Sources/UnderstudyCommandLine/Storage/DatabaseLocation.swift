import AccountsDatabase
import AccountsPostgreSQL
import AccountsSQLite
import BundledControllers
import BusinessLogic
import CoreMetrics
import FoundationEssentials
import Glibc
import Logging
import Understudy

enum DatabaseLocation {
    /// A file of SQLite, and the data folder if the file is in it.
    case file(String, folder: String? = nil)
    case server(PostgreSQLConfiguration)

    /// Whether several servers can use the database at the same time.
    var isServer: Bool {
        if case .server = self { true } else { false }
    }

    /// The most connections to a server, with that of a lease; 0 for a file.
    var connections: Int {
        if case .server(let configuration) = self { configuration.maximumConnections + 1 } else { 0 }
    }

    /// The same database, whose server calls this process by that name.
    func named(_ process: ServerProcess) -> DatabaseLocation {
        guard case .server(var configuration) = self else { return self }
        configuration.applicationName = process.applicationName
        return .server(configuration)
    }

    /// Whether there is a file. A database of a server exists always.
    var exists: Bool {
        guard case .file(let path, _) = self, access(path, F_OK) != 0 else { return true }
        // If its folder cannot be read, the attempt to open the file explains why.
        return errno != ENOENT && errno != ENOTDIR
    }

    /// What people know the database by: the path, or the URI without its password.
    var name: String {
        switch self {
        case .file(let path, _): path
        case .server(let configuration): "\(configuration)"
        }
    }

    /// Creates the data folder of a file if it is missing, for its owner only.
    func prepare() throws(CommandError) {
        guard case .file(_, let folder?) = self else { return }
        var created = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            created += created.isEmpty && part.isEmpty ? "/" : (created.isEmpty || created == "/" ? "" : "/") + part
            guard mkdir(created, 0o700) != 0 else { continue }
            let failure = errno
            guard failure == EEXIST || access(created, F_OK) == 0 else {
                throw CommandError("The data folder '\(folder)' cannot be created: \(systemError(failure)).")
            }
        }
    }

    /// Opens the database, migrates its tables, and compares its clock with the machine's. Throws as soon as one attempt to connect to a
    /// server has failed. `onError` is called with the cause whenever a call is unavailable, on any thread.
    func open(onError: @escaping @Sendable (any Error) -> Void) async throws -> OpenedDatabase {
        let opened = try opened(logger: .silent, metrics: NOOPMetricsHandler.instance, onError: onError)
        do {
            try await opened.prepare()
        } catch {
            await opened.pool?.close(deadline: .now)
            throw explained(error)
        }
        return opened
    }

    /// Opens a file and migrates its tables. Of a server, opens no connection yet: call ``OpenedDatabase/prepare`` before you use it.
    func opened(
        machine: any WallClock = SystemClock(),
        logger: Logger,
        metrics: any MetricsFactory,
        onError: @escaping @Sendable (any Error) -> Void
    ) throws -> OpenedDatabase {
        switch self {
        case .file(let path, _):
            try prepare()
            return OpenedDatabase(database: try SQLiteDatabase(path: path, onError: onError))
        case .server(let configuration):
            let pool = PostgreSQLPool(configuration, logger: logger, factory: metrics)
            let database = PostgreSQLDatabase(pool: pool, onError: onError)
            return OpenedDatabase(database: database, clock: DatabaseClock(database, machine: machine))
        }
    }

    /// The error of a server with its name.
    func explained(_ error: any Error) -> any Error {
        switch error {
        case is PostgreSQLError, is PostgreSQLDatabaseError:
            CommandError("The database '\(name)' cannot be used: \(error)")
        default: error
        }
    }
}

struct OpenedDatabase {
    let database: any Database
    /// The clock of a server; `nil` in SQLite, which uses the clock of the machine.
    var clock: DatabaseClock?

    /// The connections to a server; `nil` in SQLite.
    var pool: PostgreSQLPool? { (database as? PostgreSQLDatabase)?.pool }

    /// Connects to a server, migrates its tables, and compares its clock with the machine's. Throws as soon as one attempt to connect has failed;
    /// call it again then.
    func prepare() async throws {
        guard let server = database as? PostgreSQLDatabase else { return }
        try await server.pool.check()
        try await server.migrate()
        try await clock?.compare()
    }

    /// Waits for the current calls, at most five seconds for those of a server, and closes the database. A file then contains everything.
    func close() async {
        await pool?.close(deadline: .now + .seconds(5))
        (database as? SQLiteDatabase)?.close()
    }
}

extension Logger {
    /// A logger for commands that print their errors.
    static var silent: Logger { Logger(label: "understudy") { _ in SwiftLogNoOpLogHandler() } }
}

extension DatabaseLocation {
    /// The number of the migrations that have run; 0 if there are no tables; `nil` if there is no file. Changes nothing.
    func version() async throws -> Int? {
        switch self {
        case .file(let path, _):
            return exists ? try SQLiteDatabase.version(path: path) : nil
        case .server(let configuration):
            return try await read(configuration) { try await $0.version() }
        }
    }

    /// What is known to be damaged, a line for each; empty if nothing is. Changes nothing.
    func damage() async throws -> [String] {
        switch self {
        case .file(let path, _): return try SQLiteDatabase.damage(path: path)
        case .server(let configuration):
            let count = try await read(configuration) { try await $0.checksumFailures }
            return count > 0 ? ["PostgreSQL has found \(count) pages whose checksums are wrong"] : []
        }
    }

    private func read<Value: Sendable>(
        _ configuration: PostgreSQLConfiguration,
        _ body: (PostgreSQLDatabase) async throws -> Value
    ) async throws -> Value {
        let pool = PostgreSQLPool(configuration, logger: .silent)
        do {
            try await pool.check()
            let value = try await body(PostgreSQLDatabase(pool: pool))
            await pool.close(deadline: .now)
            return value
        } catch {
            await pool.close(deadline: .now)
            throw explained(error)
        }
    }

    /// The number of all migrations that this program knows.
    var latestVersion: Int {
        switch self {
        case .file: SQLiteDatabase.latestVersion
        case .server: PostgreSQLDatabase.latestVersion
        }
    }
}

/// A database with everything that the program stores.
protocol Database: SQLDatabase {
    var products: any Repository { get }
    func addProducts(_ products: [Product]) async throws
}

extension SQLiteDatabase: Database {}
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
