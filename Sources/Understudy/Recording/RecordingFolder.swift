internal import Glibc

/// A folder to which sessions are recorded, each to a file of its own, for its owner only.
///
/// The file is named after the session as logs name it, never after its token. A line is written by one call before its
/// event is answered, on the event loop: for finding a fault, not for a service under load.
public struct RecordingFolder: Sendable {
    /// The folder's path.
    public let path: String
    /// Whether letters and digits are replaced, beside the secrets that are erased in any case.
    public let isRedacted: Bool

    /// The folder, which is made where there is none.
    ///
    /// - Throws: ``RecordingError/folder(_:reason:)`` where nothing can be written there.
    public init(_ path: String, isRedacted: Bool = false) throws(RecordingError) {
        self.path = path
        self.isRedacted = isRedacted
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, isFolder(path), access(path, W_OK | X_OK) == 0 else {
            throw .folder(path, reason: String(cString: strerror(errno)))
        }
    }
}

/// Whether it is a folder.
private func isFolder(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return false }
    closedir(folder)
    return true
}
