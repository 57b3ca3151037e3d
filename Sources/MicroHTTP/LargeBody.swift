/// The body of a response that libmicrohttpd reads part by part as the client receives it, so that it needs no copy of the whole.
final class LargeBody {
    private let bytes: [UInt8]
    /// Outlives its responses.
    private unowned let connection: Connection

    /// libmicrohttpd reads so many bytes ahead.
    static let partSize = 32 * 1024

    init(_ bytes: [UInt8], of connection: Connection) {
        (self.bytes, self.connection) = (bytes, connection)
    }

    func read(from position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        connection.clientReceives()
        let part = bytes[min(position, bytes.count)...].prefix(buffer.count)
        part.withUnsafeBytes { buffer.copyMemory(from: $0) }
        return part.count
    }
}
