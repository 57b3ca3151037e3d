import AccountsSQLite
import ArgumentParser
import Glibc

/// `understudy backup`.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database to a new file, also while a server runs.",
        discussion: """
            The copy is the database at one moment, and is complete when it gets its name. To restore it, stop the \
            server, put the copy in the place of the database, and delete the files beside that whose names end in -wal \
            and -shm. \(Help.exit)
            """
    )

    @Argument(help: "The new file.")
    var file: String

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let database = try await AdminContext.database(storage)
        try await database.backup(to: file)
        var status = stat()
        let path = realpath(file, nil)
        defer { free(path) }
        guard let path, stat(path, &status) == 0 else { throw CommandError("The backup '\(file)' is gone.") }
        Terminal.print("\(String(cString: path)) (\(status.st_size) bytes)")
    }
}
