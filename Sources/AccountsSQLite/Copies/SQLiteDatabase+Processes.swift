internal import Glibc

extension SQLiteDatabase {
    /// Returns the number of another process that has a file open; `nil` if no process has, or this cannot be found out.
    ///
    /// Call it only while this process does not have the file open: it would release SQLite's locks on it in this process.
    package static func otherProcess(using path: String) -> Int32? {
        // SQLite follows symbolic links. While a connection is open, SQLite has a shared lock on the byte of the file `-shm` that os_unix.c
        // calls `UNIX_SHM_DMS`.
        let file = DatabaseFile.resolved(path) + "-shm"
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 128
        lock.l_len = 1
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }
}
