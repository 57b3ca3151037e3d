import Glibc

/// A TCP socket on this machine. The kernel accepts connections for it, and nothing responds to them.
package final class ListeningSocket: Sendable {
    package let descriptor: Int32
    package let port: UInt16

    package init() throws {
        (descriptor, port) = try boundSocket()
        listen(descriptor, 64)
    }

    deinit { close(descriptor) }

    /// Connects to a port of this machine.
    package static func connect(to port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        withLocalAddress(port) { _ = Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        return descriptor
    }
}

/// A port of 127.0.0.1 on which nothing listens until a server of the test does, also a second time.
///
/// A socket is bound to it without listening, so that the kernel gives the port to no other socket that asks for a free one. A server
/// that sets `SO_REUSEADDR`, as all of the tests' servers do, can still listen on it.
package final class ReservedPort: Sendable {
    package let number: UInt16
    let descriptor: Int32

    package init() throws { (descriptor, number) = try boundSocket(Int32(SOCK_CLOEXEC.rawValue)) }

    deinit { close(descriptor) }
}

/// A socket with a free port of this machine.
private func boundSocket(_ options: Int32 = 0) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | options, 0)
    var (isReusable, size) = (Int32(1), socklen_t(MemoryLayout<sockaddr_in>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<Int32>.size))
    let address = try withLocalAddress(0) { address in
        guard bind(descriptor, address, size) == 0, getsockname(descriptor, address, &size) == 0 else {
            let failure = errno
            close(descriptor)
            throw Command.Failure(arguments: ["bind"], status: failure)
        }
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

/// Calls `body` with the address of a port of this machine, and returns the address afterwards.
@discardableResult
private func withLocalAddress(
    _ port: UInt16,
    _ body: (UnsafeMutablePointer<sockaddr>?) throws -> Void
) rethrows -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    try withUnsafeMutableBytes(of: &address) { try body($0.assumingMemoryBound(to: sockaddr.self).baseAddress) }
    return address
}
