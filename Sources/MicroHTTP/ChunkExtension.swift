/// Finds chunk extensions, which libmicrohttpd 1.0.1 misreads.
///
/// 1.0.1 begins such a chunk one byte too early, with the line feed that ends the line of the chunk. It then rejects the request,
/// unless the chunk is one byte shorter than its line says. What it hands out points into its receive buffer, behind the head, so
/// that the byte before a part can be read.
extension UnsafeRawBufferPointer {
    /// Whether a part of a body begins with the end of the line before its chunk.
    var beginsWithinItsLine: Bool {
        guard let baseAddress, first == UInt8(ascii: "\n") else { return false }
        return (baseAddress - 1).load(as: UInt8.self) == UInt8(ascii: "\r")
    }
}
