// Without this import, a release build does not find the socket functions.
import CMicroHTTPD
import Glibc

struct SocketFile {
    private let path: String
    private let device: dev_t
    private let number: ino_t

    /// Replaces the file of a server that no longer runs.
    ///
    /// Several processes may try this at the same time. So each one checks, removes and creates the file while it has the folder's lock.
    static func listen(at path: String, mode: UInt32) throws(ServerError) -> (socket: Int32, file: SocketFile) {
        guard let address = SocketAddress(path: path) else {
            throw .cannotListenOnSocket(
                path: path,
                reason: path.isEmpty ? "the path is empty" : "the path is longer than 107 bytes"
            )
        }
        let lock = try FolderLock(around: path)
        defer { lock.release() }
        try removeAbandonedSocket(for: address, at: path)
        let socket = address.openSocket()
        guard socket >= 0, address.withPointer({ bind(socket, $0, $1) == 0 }) else {
            let reason = lastError()
            if socket >= 0 { close(socket) }
            throw .cannotListenOnSocket(path: path, reason: reason)
        }
        // Sets the mode before listening, because until then no client can connect.
        guard chmod(path, mode) == 0, let file = SocketFile(at: path), Glibc.listen(socket, SOMAXCONN) == 0 else {
            let reason = lastError()
            unlink(path)
            close(socket)
            throw .cannotListenOnSocket(path: path, reason: reason)
        }
        return (socket, file)
    }

    private init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        (device, number) = (status.st_dev, status.st_ino)
    }

    /// Does nothing if another process has replaced the file. Call this while the socket is open, so that no other file has its number.
    func remove() {
        let lock = try? FolderLock(around: path)
        defer { lock?.release() }
        guard let found = SocketFile(at: path), found.device == device, found.number == number else { return }
        unlink(path)
    }

    private static func removeAbandonedSocket(for address: SocketAddress, at path: String) throws(ServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw .cannotListenOnSocket(path: path, reason: "a file at this path is not a socket")
        }
        let socket = address.openSocket()
        guard socket >= 0 else { throw .cannotListenOnSocket(path: path, reason: lastError()) }
        let number = address.withPointer { connect(socket, $0, $1) == 0 ? 0 : errno }
        close(socket)
        switch number {
        // EAGAIN: the listening server's queue is full.
        case 0, EAGAIN: throw .socketInUse(path: path)
        case ECONNREFUSED: unlink(path)
        case EPROTOTYPE:
            throw .cannotListenOnSocket(path: path, reason: "the socket at this path is not a stream socket")
        default: throw .cannotListenOnSocket(path: path, reason: String(cString: strerror(number)))
        }
    }
}

/// An exclusive lock on the folder of a socket file.
private struct FolderLock {
    /// -1 if the folder cannot be opened, and so cannot be locked.
    private let folder: Int32

    /// If another process has the lock, waits for at most a second.
    init(around path: String) throws(ServerError) {
        let name = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        folder = open(String(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        for _ in 0..<100 {
            if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
            usleep(10_000)
        }
        close(folder)
        throw .cannotListenOnSocket(path: path, reason: "another process has locked its folder")
    }

    func release() {
        if folder >= 0 { close(folder) }
    }
}
