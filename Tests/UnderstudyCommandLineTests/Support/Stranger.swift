import Dispatch
import Glibc

/// Somebody who listens on a free port of this machine, and is no understudy.
final class Stranger: Sendable {
    let port: UInt16
    private let socket: Int32

    /// Says that to whoever connects first and closes; `nil` says nothing and does not close.
    init(saying answer: String?) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) {
            let pointer = $0.assumingMemoryBound(to: sockaddr.self).baseAddress
            bind(socket, pointer, size)
            listen(socket, 1)
            if let pointer { getsockname(socket, pointer, &size) }
        }
        self.socket = socket
        port = UInt16(bigEndian: address.sin_port)
        guard let answer else { return }
        DispatchQueue(label: "Stranger").async {
            let connection = accept(socket, nil, nil)
            // Whoever closes with something unread resets the connection.
            var buffer = [UInt8](repeating: 0, count: 1024)
            recv(connection, &buffer, buffer.count, 0)
            let bytes = Array(answer.utf8)
            send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }

    deinit {
        // Wakes whoever still waits for a connection.
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}

/// A port on which nobody listens.
func freePort() -> UInt16 {
    Stranger(saying: nil).port
}
