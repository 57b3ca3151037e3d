// Built for release, the compiler finds what a socket is there.
internal import CMicroHTTPD
internal import Glibc

/// The file of a Unix domain socket that a server listens on.
struct SocketFile {
    private let path: String
    private let device: dev_t
    private let number: ino_t

    /// Makes the file and listens.
    ///
    /// What a server left behind that is not there any more is replaced. Others may try the same at the same time:
    /// whoever has the folder's lock looks, removes and makes.
    static func listen(at path: String, mode: UInt32) throws(ServerError) -> (socket: Int32, file: SocketFile) {
        guard let address = SocketAddress(path: path) else {
            throw .cannotListenOnSocket(
                path: path,
                reason: path.isEmpty ? "it is empty" : "it is longer than 107 bytes"
            )
        }
        let lock = try FolderLock(around: path)
        defer { lock.release() }
        try makeWay(for: address, at: path)
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(AF_UNIX, type, 0)
        guard socket >= 0, address.withPointer({ bind(socket, $0, $1) == 0 }) else {
            let reason = lastError()
            if socket >= 0 { close(socket) }
            throw .cannotListenOnSocket(path: path, reason: reason)
        }
        // Nobody gets in before the mode is right: connecting takes somebody who listens.
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

    /// Removes the file, unless somebody has put another one there. To be called while the socket is open.
    func remove() {
        let lock = try? FolderLock(around: path)
        defer { lock?.release() }
        guard let found = SocketFile(at: path), found.device == device, found.number == number else { return }
        unlink(path)
    }

    /// Removes a socket on which nobody listens.
    private static func makeWay(for address: SocketAddress, at path: String) throws(ServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw .cannotListenOnSocket(path: path, reason: "there is a file of another kind")
        }
        let socket = Glibc.socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
            0
        )
        guard socket >= 0 else { throw .cannotListenOnSocket(path: path, reason: lastError()) }
        let number = address.withPointer { connect(socket, $0, $1) == 0 ? 0 : errno }
        close(socket)
        switch number {
        // So many wait to be accepted that there is no room for another one.
        case 0, EAGAIN: throw .socketInUse(path: path)
        case ECONNREFUSED: unlink(path)
        case EPROTOTYPE: throw .cannotListenOnSocket(path: path, reason: "there is a socket of another kind")
        default: throw .cannotListenOnSocket(path: path, reason: String(cString: strerror(number)))
        }
    }
}

/// Keeps others who do the same out of the folder that a file stands in.
private struct FolderLock {
    /// The folder; -1 where it cannot be locked, since it cannot be read or is not there.
    private let folder: Int32

    /// Waits for whoever has the lock, for a second at the most.
    init(around path: String) throws(ServerError) {
        let name = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        folder = open(String(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        for _ in 0..<100 {
            if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
            usleep(10_000)
        }
        close(folder)
        throw .cannotListenOnSocket(path: path, reason: "somebody else has locked its folder")
    }

    func release() {
        if folder >= 0 { close(folder) }
    }
}
