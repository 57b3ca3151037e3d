import Glibc

/// The path of a file with data.
struct DataFile {
    let path: String
    /// The data folder, if the file is in it.
    let folder: String?

    /// Creates the data folder if it is missing, for its owner only, and returns the path.
    ///
    /// - Throws: ``CommandError`` if the folder cannot be created.
    func prepared() throws -> String {
        guard let folder else { return path }
        var created = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            created += created.isEmpty && part.isEmpty ? "/" : (created.isEmpty || created == "/" ? "" : "/") + part
            guard mkdir(created, 0o700) != 0 else { continue }
            let failure = errno
            guard failure == EEXIST || access(created, F_OK) == 0 else {
                throw CommandError(
                    "The data folder '\(folder)' cannot be created: \(String(cString: strerror(failure)))."
                )
            }
        }
        return path
    }
}
