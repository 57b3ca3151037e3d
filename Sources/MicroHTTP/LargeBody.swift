import CMicroHTTPD

/// The body of a response that libmicrohttpd reads part by part as the client receives it, so that it needs no copy of the whole.
final class LargeBody {
    private let bytes: [UInt8]
    /// Outlives its responses.
    private unowned let connection: Connection

    /// The maximum number of bytes that libmicrohttpd reads ahead.
    static let partSize = 32 * 1024

    init(_ bytes: [UInt8], of connection: Connection) {
        (self.bytes, self.connection) = (bytes, connection)
    }

    /// Copies the bytes from a position on. Returns their number.
    fileprivate func read(from position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        connection.clientReceives()
        let part = bytes[min(position, bytes.count)...].prefix(buffer.count)
        part.withUnsafeBytes { buffer.copyMemory(from: $0) }
        return part.count
    }
}

/// Reads the body of a response. The context is its ``LargeBody``, which the response owns.
func readPart(
    _ context: UnsafeMutableRawPointer?,
    _ position: UInt64,
    _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: Int
) -> Int {
    guard let context else { return Int(CMicroHTTPD_STREAM_END) }
    return Unmanaged<LargeBody>.fromOpaque(context)._withUnsafeGuaranteedRef { body in
        let count = body.read(from: Int(position), into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        return count > 0 ? count : Int(CMicroHTTPD_STREAM_END)
    }
}

/// Releases the body of a response that libmicrohttpd does not use any more.
func freePart(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<LargeBody>.fromOpaque(context).release() }
}
