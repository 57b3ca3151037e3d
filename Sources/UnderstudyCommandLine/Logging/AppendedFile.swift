import Glibc

/// A regular file that this process appends to, and that other programs may move, replace or delete.
struct AppendedFile {
    /// An absolute path, or one in the working folder.
    let path: String
    /// The mode of a file that is created.
    let mode: UInt32

    /// Opens the file. Creates it if it does not exist. Does not follow a symbolic link.
    ///
    /// - Throws: ``CommandError``.
    func open() throws(CommandError) -> Int32 {
        // Without O_NONBLOCK, opening a pipe would wait for a reader.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = Glibc.open(path, flags, mode)
        guard descriptor >= 0 else { throw CommandError(String(cString: strerror(errno))) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw CommandError("the path names something else than a regular file")
        }
        return descriptor
    }

    /// Whether the path names the open file, or it cannot be found out.
    func names(_ descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0 else { return true }
        guard lstat(path, &named) == 0 else { return errno != ENOENT }
        return named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }
}
