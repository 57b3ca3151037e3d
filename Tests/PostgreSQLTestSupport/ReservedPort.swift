import Glibc

/// A port of 127.0.0.1 on which nothing listens until a server of the test does, also a second time.
///
/// A socket is bound to it without listening, so that the kernel gives the port to no other socket that asks for a free one. A server
/// that sets `SO_REUSEADDR`, as all of the tests' servers do, can still listen on it.
package final class ReservedPort: Sendable {
    package let number: UInt16
    private let descriptor: Int32

    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var (isReusable, size) = (Int32(1), socklen_t(MemoryLayout<sockaddr_in>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isBound = withUnsafeMutableBytes(of: &address) { [descriptor] bytes in
            guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
        }
        guard isBound else {
            let failure = errno
            close(descriptor)
            throw Command.Failure(arguments: ["bind"], status: failure)
        }
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }
}
