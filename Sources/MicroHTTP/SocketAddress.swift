// Without this import, a release build does not find the socket functions.
import Addresses
import CMicroHTTPD
import Glibc

package struct SocketAddress {
    private var storage = sockaddr_storage()
    private let size: socklen_t

    init(copying address: UnsafePointer<sockaddr>, size: socklen_t) {
        self.size = min(size, socklen_t(MemoryLayout<sockaddr_storage>.size))
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(self.size)))
        }
    }

    /// `nil` if the path is empty or too long.
    package init?(path: String) {
        self.init(bytes: path.utf8, end: 1)
    }

    /// An abstract Unix domain socket has a name instead of a file; `nil` if the name is empty or too long.
    package init?(abstractName name: String) {
        guard !name.isEmpty else { return nil }
        // The length is part of the address, so the name has no terminator.
        self.init(bytes: [0] + name.utf8, end: 0)
    }

    private init?(bytes: some Collection<UInt8>, end: Int) {
        let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        guard !bytes.isEmpty, bytes.count < room else { return nil }
        storage.ss_family = sa_family_t(AF_UNIX)
        size = socklen_t(Self.pathOffset + bytes.count + end)
        withUnsafeMutableBytes(of: &storage) { $0[Self.pathOffset...].copyBytes(from: bytes) }
    }

    private static let pathOffset = MemoryLayout<sa_family_t>.size

    init?(of socket: Int32) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutableBytes(of: &storage) { bytes in
            guard let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return getsockname(socket, address, &size) == 0
        }
        guard isKnown else { return nil }
        self.storage = storage
        self.size = min(size, socklen_t(MemoryLayout<sockaddr_storage>.size))
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// A stream socket, which does not block; -1 on failure.
    func openSocket() -> Int32 {
        socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    /// If this returns `false`, `errno` has the reason.
    @discardableResult
    package func send(_ bytes: [UInt8], by socket: Int32) -> Bool {
        withPointer { sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) == bytes.count }
    }

    /// `nil` unless this is the address of a Unix domain socket. The name of an abstract socket begins with `@`.
    var path: String? {
        guard family == AF_UNIX else { return nil }
        var bytes = withUnsafeBytes(of: storage) { Array($0[..<Int(size)].dropFirst(Self.pathOffset)) }
        if bytes.first == 0, bytes.count > 1 { bytes[0] = UInt8(ascii: "@") }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    var numeric: (host: String, port: UInt16) {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let failure = withPointer {
            getnameinfo(
                $0,
                $1,
                &host,
                socklen_t(host.count),
                &port,
                socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV
            )
        }
        guard failure == 0 else { return ("", 0) }
        return (text(host), UInt16(text(port)) ?? 0)
    }

    private func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension IPAddress {
    /// `nil` for other families.
    init?(_ address: UnsafePointer<sockaddr>) {
        let bytes = UnsafeRawPointer(address)
        func load<Integer: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: Integer.Type) -> Integer {
            Integer(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
        }
        switch Int32(bytes.load(as: sa_family_t.self)) {
        case AF_INET:
            self.init(v4: load(MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 4, as: UInt32.self))
        case AF_INET6:
            let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
            self.init(high: load(offset, as: UInt64.self), low: load(offset + 8, as: UInt64.self))
        default:
            return nil
        }
    }
}

func lastError() -> String { String(cString: strerror(errno)) }
