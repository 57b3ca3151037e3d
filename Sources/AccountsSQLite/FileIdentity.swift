internal import Glibc

/// Tells one file from another that later has its path.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t

    /// The identity of the file that is at the path now; `nil` where there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        node = status.st_ino
    }
}
