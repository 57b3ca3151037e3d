import Foundation
import Glibc
import HTTPTestClient

/// A socket that listens and never accepts, like those of systemd for its services.
final class ListeningSocket: Sendable {
    private let socket: Int32
    /// The port on 127.0.0.1; 0 for a Unix domain socket.
    let port: UInt16
    private let path: String?

    /// Listens on a free port.
    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutableBytes(of: &address) { [socket] in
            guard let pointer = $0.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return bind(socket, pointer, size) == 0 && listen(socket, 64) == 0
                && getsockname(socket, pointer, &size) == 0
        }
        guard isListening else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        path = nil
    }

    /// Listens on a Unix domain socket.
    init(path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard let address = UnixSocketAddress(path), address.bind(socket), listen(socket, 64) == 0 else {
            throw POSIXError(.EADDRINUSE)
        }
        port = 0
        self.path = path
    }

    deinit {
        close(socket)
        if let path { unlink(path) }
    }

    /// The socket, to pass to a process.
    var handle: FileHandle { FileHandle(fileDescriptor: socket, closeOnDealloc: false) }
}
