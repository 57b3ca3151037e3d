import Dispatch
import Glibc

/// A server on a free port of this machine that is not Understudy.
final class OtherServer: Sendable {
    let port: UInt16
    private let socket: Int32

    /// - Parameter answer: what the first client gets before the connection is closed. If it is `nil`, the client gets nothing, and
    ///   the connection stays open.
    init(responding answer: String?) {
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
        DispatchQueue(label: "OtherServer").async {
            let connection = accept(socket, nil, nil)
            // Closing a connection with unread bytes would reset it.
            var buffer = [UInt8](repeating: 0, count: 1024)
            recv(connection, &buffer, buffer.count, 0)
            let bytes = Array(answer.utf8)
            send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }

    deinit {
        // Ends an accept() that still waits.
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}
