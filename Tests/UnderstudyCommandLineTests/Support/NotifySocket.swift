import Dispatch
import Foundation
import Glibc
import HTTPTestClient

/// What systemd listens on for what its services say of themselves.
final class NotifySocket: Sendable {
    /// What `NOTIFY_SOCKET` is to be.
    let name: String
    private let socket: Int32
    private let queue = DispatchQueue(label: "NotifySocket")

    /// - Parameter isAbstract: whether it has a name instead of a file.
    init(isAbstract: Bool = false) throws {
        name = (isAbstract ? "@" : "/tmp/") + UUID().uuidString
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard let address = UnixSocketAddress(name), address.bind(socket) else { throw POSIXError(.EADDRINUSE) }
    }

    deinit {
        close(socket)
        if name.hasPrefix("/") { unlink(name) }
    }

    /// The lines of the next message; none where there is none for a long time.
    func next() async -> [String] {
        await withCheckedContinuation { continuation in
            queue.async { [socket] in
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = recv(socket, &buffer, buffer.count, 0)
                let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
                continuation.resume(returning: text.split(separator: "\n").map { String($0) })
            }
        }
    }

    /// The next message that begins with that line.
    func next(_ line: String) async -> [String] {
        while true {
            let message = await next()
            if message.isEmpty || message.first == line { return message }
        }
    }
}
