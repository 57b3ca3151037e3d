import ArgumentParser
import Glibc

/// The options that name the database, and the option that names the configuration file.
struct StorageOptions: ParsableArguments {
    @Option(Settings.data)
    var data: String?

    @Option(Settings.database)
    var database: String?

    @OptionGroup(title: "Configuration")
    var configuration: ConfigurationOptions

    /// Returns the SQLite file.
    ///
    /// - Throws: `ValidationError` if neither a setting nor the environment names a folder for it.
    func databaseFile(_ settings: SettingsReader) throws -> DataFile {
        try file(settings.value(database, Settings.database), "understudy.sqlite", settings)
    }

    /// Returns the file at a path; if that is `nil`, the file with a name in the data folder.
    ///
    /// - Throws: `ValidationError` if the path is `nil`, and neither a setting nor the environment names the data folder.
    func file(_ path: String?, _ name: String, _ settings: SettingsReader) throws -> DataFile {
        let folder = try settings.value(data, Settings.data)
        if let path { return DataFile(path: path, folder: nil) }
        guard let folder = folder ?? Self.usualFolder else {
            throw ValidationError(
                "There is no folder for data: give '--data', or '--database' and '--audit-log', or set HOME."
            )
        }
        return DataFile(path: folder + "/" + name, folder: folder)
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
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
