import Accounts
import AccountsDatabase
import AccountsPostgreSQL
import AccountsSQLite
import ArgumentParser

/// `understudy database copy`.
struct DatabaseCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "copy",
        "Copy an SQLite file to an empty PostgreSQL database.",
        """
        Copies the accounts, failed logins, devices, products, mails, revocations, sessions and audit records in one transaction, and \
        compares each row that PostgreSQL has stored, and their number, with the file. On an error, nothing is copied. The command \
        creates the tables if they are missing, and never changes a database that has rows.

        Stop the server that uses the file before: what it writes later would not be in the copy. The command fails if another process \
        has the file open, locks it meanwhile, and fails if a server uses the PostgreSQL database; to try a copy while a server runs, \
        copy a file that 'backup' has made. The command does not change the rows of the file.
        """
    )

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
