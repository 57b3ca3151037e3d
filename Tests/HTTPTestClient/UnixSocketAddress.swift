internal import Glibc

/// The address of a Unix domain socket.
public struct UnixSocketAddress: Sendable {
    var address = sockaddr_un()
    let size: socklen_t

    /// The address of that path, or of an abstract socket if the path begins with `@`; `nil` if it is too long.
    public init?(_ path: String) {
        let isAbstract = path.hasPrefix("@")
        let bytes = path.utf8
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: bytes)
            if isAbstract { $0[0] = 0 }
        }
        // The length is part of an abstract name.
        size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
    }

    /// Binds the socket to the address.
    public func bind(_ socket: Int32) -> Bool { withPointer { Glibc.bind(socket, $0, $1) == 0 } }

    func withPointer<Result, Failure>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafePointer(to: address) { pointer throws(Failure) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(Failure) in
                try body(address, size)
            }
        }
    }
}
