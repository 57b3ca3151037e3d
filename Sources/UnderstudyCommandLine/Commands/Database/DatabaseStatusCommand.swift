import ArgumentParser

/// `understudy database status`.
struct DatabaseStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show damage, the version of the tables, and the servers that use PostgreSQL; change nothing.",
        discussion: """
            Reads the whole of an SQLite file. For PostgreSQL, reports the damaged pages that the server has found, which it counts if it uses \
            checksums.

            Exit status: 0 if the tables have the version of this program, 1 if the database is damaged, if 'database migrate' must create or change them, if they \
            belong to another program or a newer version, or on another error, 64 if the arguments are wrong.
            """
    )

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let location = try storage.databaseLocation(storage.configuration.settings())
        let latest = location.latestVersion
        guard let version = try await location.version() else {
            throw CommandError("There is no database '\(location.name)': 'database migrate' creates it.")
        }
        let damage = try await location.damage()
        guard damage.isEmpty else {
            for line in damage { Terminal.print(line.printable) }
            throw CommandError("The database '\(location.name)' is damaged: restore a backup.")
        }
        switch version {
        case latest:
            Terminal.print("\(location.name): the tables have version \(latest), which is current")
            guard location.isServer else { return }
            let opened = try await location.open { Terminal.printError("\($0)") }
            let servers = try await opened.database.servers()
            await opened.close()
            for server in servers {
                let since = server.since.map { " since \($0.brief)" } ?? ""
                Terminal.print("server \(server.name.printable): version \(server.version.printable)\(since)")
            }
        case 0: throw CommandError("\(location.name): there are no tables yet: 'database migrate' creates them.")
        default:
            throw CommandError(
                "\(location.name): the tables have version \(version): 'database migrate' changes them to \(latest)."
            )
        }
    }
}
