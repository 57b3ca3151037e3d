import Accounts
import AccountsDatabase
import AccountsPostgreSQL
import AccountsSQLite
import ArgumentParser

/// `understudy database copy`.
struct DatabaseCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("database copy")

    @Option(name: .customLong("from"), help: ArgumentHelp("The SQLite file.", valueName: "file"))
    var file: String

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        let settings = try storage.configuration.settings()
        let location = try storage.databaseLocation(settings)
        guard case .server(let configuration) = location else {
            throw ValidationError("'copy' copies to PostgreSQL: name a database with '--database postgresql://…'.")
        }
        let source = try await openSource()
        defer { source.close() }
        do {
            let target = try await PostgreSQLDatabase.open(configuration, logger: .silent)
            try await copy(source, to: target, location.name)
            Terminal.print("\(location.name): the copy of '\(file)' is complete and verified")
        } catch let error as CopyError {
            throw CommandError("Nothing was copied to '\(location.name)': \(error).")
        } catch {
            throw location.explained(error)
        }
    }

    /// Copies the database, records this, prints the number of rows of each table, and closes the target.
    private func copy(
        _ source: SQLiteCopySource,
        to target: PostgreSQLDatabase,
        _ name: String
    ) async throws {
        do {
            if let server = try await target.servers().first {
                throw CommandError(
                    "Nothing was copied to '\(name)': the server '\(server.name)' uses it. Stop it first."
                )
            }
            let log = `operator`.log(in: target)
            let tables = try await target.copy(rows: source.rows)
            await log.record(AuditEvent(.databaseCopied, at: try await target.time, reason: file))
            for (table, count) in tables { Terminal.print("\(table.name): \(count)") }
            await target.close(deadline: .now)
        } catch {
            await target.close(deadline: .now)
            throw error
        }
    }

    /// Opens the file, which must have the tables of this version.
    private func openSource() async throws -> SQLiteCopySource {
        if let process = SQLiteDatabase.otherProcess(using: file) {
            throw CommandError(
                "Another process (\(process)) has '\(file)' open, and the copy would lack what it writes later: stop it, or copy a backup."
            )
        }
        let location = DatabaseLocation.file(DataFile(path: file, folder: nil))
        guard let version = try await location.version() else { throw CommandError("There is no file '\(file)'.") }
        guard version > 0 else { throw CommandError("The file '\(file)' has no tables: there is nothing to copy.") }
        guard version == location.latestVersion else {
            throw CommandError(
                "The tables of '\(file)' have version \(version): run 'database migrate --database \(file)' first."
            )
        }
        return try SQLiteCopySource(path: file)
    }
}
