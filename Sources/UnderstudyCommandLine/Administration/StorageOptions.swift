import ArgumentParser
import Glibc
import AccountsPostgreSQL

/// The options that name the database, and the option that names the configuration file.
struct StorageOptions: ParsableArguments {
    @OptionGroup var options: SettingOptions<Settings.Storage>
    @OptionGroup var configuration: ConfigurationOptions

    /// Returns where the database is.
    ///
    /// - Throws: as ``SettingsReader/databaseLocation()``.
    func databaseLocation(_ settings: SettingsReader) throws -> DatabaseLocation {
        try settings.with(options).databaseLocation()
    }
}

extension StorageOptions {
    /// Returns the file of a command that is for SQLite only.
    ///
    /// - Throws: `ValidationError` with `refusal` if the database is one of PostgreSQL. Its URI is not read.
    func databaseFile(_ settings: SettingsReader, refusal: String) throws -> DataFile {
        let name = try settings.with(options).value(Settings.database) ?? ""
        if !HiddenSecrets.isDatabaseURI(name), case .file(let file) = try databaseLocation(settings) { return file }
        throw ValidationError(refusal)
    }
}

extension SettingsReader {
    /// Returns where the database is.
    ///
    /// - Throws: `ValidationError` if a URI or the password file is invalid, or neither a setting nor the environment names a folder for
    ///   a file.
    func databaseLocation() throws -> DatabaseLocation {
        let name = try value(Settings.database)
        let passwordFile = try value(Settings.databasePasswordFile)
        let connections = try value(Settings.databaseConnections)
        let isPrepared = try value(Settings.databasePrepared)
        guard let name, HiddenSecrets.isDatabaseURI(name) else {
            if passwordFile != nil {
                throw ValidationError(
                    "'--database-password-file' is for PostgreSQL, and '--database' names no URI of one."
                )
            }
            if let name { return .file(DataFile(path: name, folder: nil)) }
            let folder = try dataFolder
            return .file(DataFile(path: folder + "/understudy.sqlite", folder: folder))
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

    private var dataFolder: String {
        get throws {
            if let folder = try value(Settings.data) ?? Self.usualFolder { return folder }
            throw ValidationError("There is no folder for data: give '--data' or '--database', or set HOME.")
        }
    }

    private static var usualFolder: String? {
        let name = Application.current.identifier
        // systemd separates several folders by colons.
        if let state = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(state) }
        if let data = environment("XDG_DATA_HOME") { return data + "/" + name }
        // The user of the Debian package: 'sudo -u understudy understudy account list' reads the data of the service.
        let packageFolder = "/var/lib/" + name
        if let home = getpwuid(geteuid())?.pointee.pw_dir, String(cString: home) == packageFolder {
            return packageFolder
        }
        return environment("HOME").map { $0 + "/.local/share/" + name }
    }

    private static func environment(_ name: String) -> String? {
        Application.current.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
