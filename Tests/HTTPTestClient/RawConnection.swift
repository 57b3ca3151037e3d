import Dispatch
import Glibc

/// A connection to a server on this machine, over which requests are written byte by byte.
public final class RawConnection: @unchecked Sendable {
    // Sendable because all mutable state is used only on the queue, which may block.

    /// A response as it was received.
    public struct Reply: Sendable {
        public let status: Int
        public let headers: [(name: String, value: String)]
        public let body: [UInt8]
    }

    /// A call failed with that errno, or the server closed the connection.
    public enum Failure: Error, Equatable {
        case system(Int32)
        case closed
    }

    private let queue = DispatchQueue(label: "RawConnection")
    private let socket: Int32
    private var received: [UInt8] = []

    /// Connects to 127.0.0.1.
    public init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // Long enough for a loaded machine.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafeBytes(of: &address) {
            connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        guard result == 0 else { throw Failure.system(errno) }
    }

    deinit {
        close(socket)
    }

    public func send(_ bytes: some Sequence<UInt8>) async throws {
        let bytes = Array(bytes)
        try await blocking { connection in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(connection.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure.system(errno) }
                sent += count
            }
        }
    }

    /// Receives the next response, without a body if it is a response to HEAD.
    public func receive(isHead: Bool = false) async throws -> Reply {
        try await blocking { connection in
            let head = try connection.take { $0.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound }
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            let headers = lines.dropFirst().map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (name: String(line[..<colon]), value: String(line[colon...].dropFirst().drop { $0 == " " }))
            }
            let length = headers.first { $0.name == "Content-Length" }.flatMap { Int($0.value) } ?? 0
            let body = isHead ? [] : try connection.take { $0.count >= length ? length : nil }
            return Reply(status: status, headers: headers, body: body)
        }
    }

    /// Waits until the server closes the connection, and returns the bytes before that.
    public func receiveToEnd() async throws -> [UInt8] {
        try await blocking { connection in
            do { _ = try connection.take { _ in nil } } catch Failure.closed {}
            return connection.received
        }
    }

    /// Reads until `end` returns a number of bytes, and takes these.
    private func take(_ end: ([UInt8]) -> Int?) throws -> [UInt8] {
        while true {
            if let count = end(received) {
                defer { received.removeFirst(count) }
                return Array(received[..<count])
            }
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure.system(errno) }
            guard count > 0 else { throw Failure.closed }
            received += buffer[..<count]
        }
    }

    private func blocking<Result: Sendable>(_ body: @escaping @Sendable (RawConnection) throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body(self) }) }
        }
    }
}
