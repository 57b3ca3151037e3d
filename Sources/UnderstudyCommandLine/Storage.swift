import ArgumentParser
import Glibc

/// Where things are kept: options that several commands have.
struct StorageOptions: ParsableArguments {
    @Option(Settings.data)
    var data: String?

    @Option(Settings.database)
    var database: String?

    @OptionGroup(title: "Configuration")
    var configuration: ConfigurationOptions

    /// The SQLite file.
    ///
    /// - Throws: `ValidationError` where nobody says where it is to be.
    func databaseFile(_ settings: SettingsReader) throws -> KeptFile {
        try file(settings.value(database, Settings.database), "understudy.sqlite", settings)
    }

    /// A file that stands in the data folder, unless somebody says where else.
    func file(_ path: String?, _ name: String, _ settings: SettingsReader) throws -> KeptFile {
        let folder = try settings.value(data, Settings.data)
        if let path { return KeptFile(path: path, folder: nil) }
        guard let folder = folder ?? Self.usualFolder else {
            throw ValidationError("Say where to keep data: '--data', or '--database' and '--audit-log'.")
        }
        return KeptFile(path: folder + "/" + name, folder: folder)
    }

    private static var usualFolder: String? {
        // systemd names several with colons between.
        if let state = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(state) }
        if let data = environment("XDG_DATA_HOME") { return data + "/understudy" }
        // The user of the Debian package: 'sudo -u understudy understudy account list' works on what the service keeps.
        if let home = getpwuid(geteuid())?.pointee.pw_dir, String(cString: home) == packageFolder {
            return packageFolder
        }
        return environment("HOME").map { $0 + "/.local/share/understudy" }
    }

    private static let packageFolder = "/var/lib/understudy"

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A file in which something is kept.
struct KeptFile {
    let path: String
    /// The data folder, where it stands in that.
    let folder: String?

    /// The path, once the data folder is there, for its owner only.
    ///
    /// - Throws: `ValidationError` where it cannot be made.
    func prepared() throws -> String {
        guard let folder else { return path }
        var made = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made == "/" ? "" : "/") + part
            if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, F_OK) != 0 {
                throw ValidationError(
                    "The data folder '\(folder)' cannot be made: \(String(cString: strerror(errno)))."
                )
            }
        }
        return path
    }
}

/// Where settings stand, beside options and the environment.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: """
            A YAML file of settings, such as 'port: 8080'. Options and the environment win over it. \
            (default: /etc/understudy/understudy.yaml, if it exists)
            """
    )
    var config: String?

    /// Reads them.
    ///
    /// - Throws: ``CommandError`` where the file cannot be read.
    func settings() async throws -> SettingsReader {
        try await SettingsReader(file: config)
    }
}
