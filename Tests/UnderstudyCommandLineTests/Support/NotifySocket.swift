import Dispatch

/// A socket that receives notifications of services, like the one of systemd.
final class NotifySocket: Sendable {
    /// The value for `NOTIFY_SOCKET`.
    let name: String
    let socket: Int32
    let messages: AsyncStream<[String]>

    /// - Parameter isAbstract: whether the socket has an abstract name instead of a file.
    init(isAbstract: Bool = false) throws {
        name = (isAbstract ? "@" : "/tmp/") + UUID().uuidString
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.socket = socket
        let (messages, continuation) = AsyncStream<[String]>.makeStream()
        self.messages = messages
        guard let address = UnixSocketAddress(name), address.bind(socket) else { throw POSIXError(.EADDRINUSE) }
        // Reads at once, like systemd: a service waits while ten messages are unread.
        DispatchQueue(label: "NotifySocket").async {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 {
                continuation.yield(buffer[..<count].text.split(separator: "\n").map { String($0) })
            }
            continuation.finish()
            close(socket)
        }
    }

    deinit {
        // Ends the loop.
        shutdown(socket, Int32(SHUT_RDWR))
        if name.hasPrefix("/") { unlink(name) }
    }

    /// The lines of the next message that begins with that line.
    func next(_ line: String) async -> [String] {
        for await message in messages where message.first == line { return message }
        return []
    }

    /// The lines of the next message that contains the text.
    func next(containing text: String) async -> [String] {
        for await message in messages where message.contains(where: { $0.contains(text) }) { return message }
        return []
    }
}
