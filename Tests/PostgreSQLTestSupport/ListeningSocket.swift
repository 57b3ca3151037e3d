import Glibc

/// A TCP socket on this machine. The kernel accepts connections for it, and nothing responds to them.
package final class ListeningSocket: Sendable {
    package let descriptor: Int32
    package let port: UInt16

    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(descriptor, pointer, size) == 0 && listen(descriptor, 64) == 0
                && getsockname(descriptor, pointer, &size) == 0
        }
        guard isBound else {
            let failure = errno
            close(descriptor)
            throw Command.Failure(arguments: ["bind"], status: failure)
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }

    /// Connects to a port of this machine.
    package static func connect(to port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = port.bigEndian
        withUnsafeBytes(of: &address) { bytes in
            _ = Glibc.connect(
                descriptor,
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(bytes.count)
            )
        }
        return descriptor
    }
}
