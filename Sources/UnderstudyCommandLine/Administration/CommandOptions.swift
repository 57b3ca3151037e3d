import Accounts
import AccountsDatabase
import AccountsPostgreSQL
import ArgumentParser
import BusinessLogic
import Glibc
import Understudy

/// The options that name the database, and the option that names the configuration file.
typealias StorageOptions = SettingOptions<Settings.Storage>

extension StorageOptions {
    func settings() throws -> SettingsReader { try SettingsReader(file: file).with(self) }
}

extension SettingsReader {
    /// Returns the file of a command that is for SQLite only. Throws `ValidationError` with `refusal` if the database is one of PostgreSQL.
    /// Its URI is not read.
    func databaseFile(refusal: String) throws -> DatabaseLocation {
        if let name = try value(Settings.database), PostgreSQLConfiguration.isURI(name) {
            throw ValidationError(refusal)
        }
        return try databaseLocation()
    }

    func databaseLocation() throws -> DatabaseLocation {
        let name = try value(Settings.database)
        let passwordFile = try value(Settings.databasePasswordFile)
        let connections = try value(Settings.databaseConnections)
        let isPrepared = try value(Settings.databasePrepared)
        guard let name, PostgreSQLConfiguration.isURI(name) else {
            if passwordFile != nil {
                throw ValidationError(
                    "'--database-password-file' is for PostgreSQL, and '--database' names no URI of one."
                )
            }
            if let name { return .file(name) }
            let folder = try dataFolder
            return .file(folder + "/understudy.sqlite", folder: folder)
        }
        do {
            var configuration = try PostgreSQLConfiguration(uri: name, passwordFile: passwordFile)
            configuration.maximumConnections = connections
            configuration.preparedStatements = isPrepared
            return .server(configuration)
        } catch {
            throw ValidationError("\(error.description.prefix(1).uppercased() + error.description.dropFirst()).")
        }
    }

    /// The folder of the data, whether it is set or not.
    var dataFolder: String {
        get throws {
            if let folder = try value(Settings.data) ?? Self.usualFolder() { return folder }
            throw ValidationError("There is no folder for data: give '--data' or '--database', or set HOME.")
        }
    }

    private static func usualFolder() throws -> String? {
        let name = Application.current.identifier
        // systemd separates several folders by colons.
        if let state = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(state) }
        if let data = environment("XDG_DATA_HOME") { return data + "/" + name }
        // The user of the Debian package: 'sudo -u understudy understudy account list' reads the data of the service.
        let packageFolder = "/var/lib/" + name
        func isHome(of entry: UnsafeMutablePointer<passwd>?) -> Bool {
            entry.map { String(cString: $0.pointee.pw_dir) } == packageFolder
        }
        if isHome(of: getpwuid(geteuid())) { return packageFolder }
        // Otherwise, a command such as 'restore' would make a database that no service uses.
        if geteuid() == 0, isHome(of: getpwnam(name)) {
            throw ValidationError(
                "Root's database is not the service's: use 'sudo -u \(name)', or give '--data' or '--database'."
            )
        }
        return environment("HOME").map { $0 + "/.local/share/" + name }
    }

    private static func environment(_ name: String) -> String? {
        Application.current.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension StorageOptions {
    /// Opens the database with its clock. If the database is missing, creates it if `isNew`, and otherwise throws ``CommandError``.
    func open(_ settings: SettingsReader, creating isNew: Bool = false) async throws -> OpenedDatabase {
        let location = try settings.databaseLocation()
        let name = location.name
        if !isNew {
            guard location.exists else {
                throw CommandError("There is no database '\(name)': name it with '--database' or '--data'.")
            }
            if case .file(let path, _) = location, access(path, R_OK) != 0 {
                throw CommandError("The database '\(name)' cannot be opened: \(systemError()).")
            }
            // A path or URI that names another database by mistake must not get tables.
            if try await location.version() == 0 {
                throw CommandError("The database '\(name)' has no tables: 'database migrate' creates them.")
            }
        }
        return try await location.open { error in
            Terminal.printError("The database '\(name)' is not available: \(error)")
        }
    }

    /// The administration for a command. Give an operator if it changes something, and `passwords` if it hashes some.
    func administration(
        _ settings: SettingsReader? = nil,
        by operator: OperatorOptions? = nil,
        hashing passwords: PasswordOptions? = nil,
        creating isNew: Bool = false
    ) async throws -> Administration {
        let settings = try settings ?? self.settings()
        let opened = try await open(settings, creating: isNew)
        let clock: any WallClock = opened.clock ?? SystemClock()
        return Administration(
            database: opened.database,
            directory: DatabaseSessionStore(opened.database) { 0 },
            outbox: DatabaseOutbox(opened.database, clock: clock),
            clock: clock,
            audit: `operator`?.log(in: opened.database) ?? MemoryAuditLog(),
            hasher: try passwords.map(settings.with)?.hasher() ?? PasswordHasher(workers: 1),
            pages: { try Application.current.pages(PageDependencies()) }
        )
    }
}

extension OperatorOptions {
    func administration(
        _ settings: SettingsReader? = nil,
        hashing passwords: PasswordOptions? = nil,
        creating isNew: Bool = false
    ) async throws -> Administration {
        try await storage.administration(settings, by: self, hashing: passwords, creating: isNew)
    }
}

/// The options of commands that change something in the database: where it is, and the name of the operator.
struct OperatorOptions: ParsableArguments {
    /// The maximum number of characters of a name.
    private static let maximumLength = 128

    @OptionGroup(title: "Storage") var storage: StorageOptions

    @Option(
        name: .customLong("as"),
        help: "Who makes the change, for the audit log. (default: SUDO_USER, or the system's user)"
    )
    var name: String?

    func validate() throws {
        guard let name, !Self.isValid(name) else { return }
        throw ValidationError(
            "The value of '--as' is invalid: expected a name of 1 to \(Self.maximumLength) characters, without control characters."
        )
    }

    var operatorName: String {
        if let name { return name }
        if let name = Application.current.environment["SUDO_USER"], Self.isValid(name) { return name }
        let user = geteuid()
        let name = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? ""
        return Self.isValid(name) ? name : "uid \(user)"
    }

    /// The audit log for what the operator does. Prints errors.
    func log(in database: some Database) -> OperatorAuditLog {
        let log = DatabaseAuditLog(database) { _, error in
            Terminal.printError("The audit log cannot be written: \(error)")
        }
        return OperatorAuditLog(log: log, operatorName: operatorName)
    }

    /// Whether a name can be in the audit log: what controls a terminal or the direction of a text would falsify its lines.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.unicodeScalars.count <= maximumLength
            && !name.unicodeScalars.contains(where: \.isUnprintable)
    }
}

struct OperatorAuditLog: AuditLog {
    let log: any AuditLog
    let operatorName: String
    /// The browser of the operator; empty for a command.
    var client = ClientContext()

    func record(_ event: AuditEvent) async { await log.record(named(event)) }

    func recordAtCommit(_ event: AuditEvent) async { await log.recordAtCommit(named(event)) }

    private func named(_ event: AuditEvent) -> AuditEvent {
        var event = event
        event.operatorName = operatorName
        if let address = client.address { event.address = address }
        if let id = client.requestID { event.requestID = id }
        return event
    }
}

typealias PasswordOptions = SettingOptions<Settings.Passwords>

extension SettingOptions<Settings.Passwords> {
    func policy(_ settings: SettingsReader) throws -> ServicePasswordPolicy {
        try settings.with(self).passwordPolicy { error in
            Terminal.printNote(
                "The list of leaked passwords cannot be read, so that the password is not compared with it: \(error)."
            )
        }
    }
}

extension SettingsReader {
    /// `report` gets the reason if the list of leaked passwords cannot be read later.
    func passwordPolicy(
        onUnreadableList report: @escaping @Sendable (SettingError) -> Void
    ) throws -> ServicePasswordPolicy {
        let minimum = try value(Settings.passwordMin)
        let leaked = try value(Settings.leakedPasswords).map { path throws(CommandError) in
            do throws(SettingError) {
                return try LeakedPasswords(path: path, onFailure: report)
            } catch {
                throw CommandError("The list of leaked passwords '\(path)' cannot be used: \(error).")
            }
        }
        return try valid(Settings.passwordMin) { try ServicePasswordPolicy(minimum: minimum, leaked: leaked) }
    }

    // Not inlined into asynchronous functions, with which the compiler of Swift 6.3 fails because of the typed errors.
    @inline(never)
    func hasher() throws -> PasswordHasher {
        try PasswordHasher(cost: hashCost(), workers: value(Settings.hashWorkers))
    }

    func hashCost() throws -> Argon2Cost {
        let memory = try value(Settings.hashMemory) >> 10
        let iterations = try value(Settings.hashIterations)
        _ = try valid(Settings.hashMemory) { try Argon2Cost(memory: memory) }
        return try valid(Settings.hashIterations) { try Argon2Cost(memory: memory, iterations: iterations) }
    }

    /// Returns what a value makes. A value out of its range is wrong usage.
    private func valid<Made>(_ setting: some AnySetting, _ make: () throws -> Made) throws -> Made {
        do { return try make() } catch let error as SettingError {
            throw ValidationError("The value of '\(setting.name)' is invalid: \(error).")
        }
    }
}
