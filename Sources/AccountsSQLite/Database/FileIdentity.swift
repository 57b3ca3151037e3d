internal import Glibc

/// The identity of a file. Another file at the same path has another identity.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t

    /// The identity of the file at the path; `nil` if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        node = status.st_ino
    }
}
