internal import Glibc

/// A folder for recordings: one file for each session, which only the file's owner can read.
///
/// A file's name is the session's short ID in logs, never its token. At 16 MiB, the recording ends. The service writes each
/// event on the event loop before it sends the response: record sessions to find faults, not under load.
public struct RecordingFolder: Sendable {
    /// The folder's path.
    public let path: String
    /// Whether letters and digits of all texts are replaced. Secrets are always erased.
    public let isRedacted: Bool

    /// Opens the folder. Creates it for its owner only if it does not exist.
    ///
    /// - Throws: ``RecordingError/folder(_:reason:)`` if the folder cannot be written to.
    public init(_ path: String, isRedacted: Bool = false) throws(RecordingError) {
        self.path = path
        self.isRedacted = isRedacted
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, isFolder(path), access(path, W_OK | X_OK) == 0 else {
            throw .folder(path, reason: String(cString: strerror(errno)))
        }
    }
}

/// Whether the path is a folder.
private func isFolder(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return false }
    closedir(folder)
    return true
}
