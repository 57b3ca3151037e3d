import ArgumentParser
import Glibc

/// Where things are kept: options that several commands have.
struct StorageOptions: ParsableArguments {
    @Option(help: "The folder for what is kept. (default: $STATE_DIRECTORY, or ~/.local/share/understudy)")
    var data: String?

    @Option(help: "The SQLite file with accounts and products. (default: understudy.sqlite in the data folder)")
    var database: String?

    /// The SQLite file. Its folder is made, where it is the data folder.
    func databasePath() throws -> String {
        if let path = try setting(database, "database") { return path }
        return try folder() + "/understudy.sqlite"
    }

    /// The data folder, which is made where there is none, for its owner only.
    ///
    /// - Throws: `ValidationError` where it cannot be made, or nobody says where it is to be.
    func folder() throws -> String {
        let folder = try setting(data, "data") ?? Self.usualFolder
        guard let folder else {
            throw ValidationError("Say where to keep data: '--data', or '--database' and '--audit-log'.")
        }
        var made = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made == "/" ? "" : "/") + part
            if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, F_OK) != 0 {
                throw ValidationError(
                    "The data folder '\(folder)' cannot be made: \(String(cString: strerror(errno)))."
                )
            }
        }
        return folder
    }

    private static var usualFolder: String? {
        // systemd names several with colons between.
        if let state = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(state) }
        if let data = environment("XDG_DATA_HOME") { return data + "/understudy" }
        return environment("HOME").map { $0 + "/.local/share/understudy" }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
