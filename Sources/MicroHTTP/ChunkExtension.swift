/// Finds chunk extensions, which libmicrohttpd 1.0.1 misreads.
///
/// If the line before a chunk has an extension, 1.0.1 begins the chunk one byte too early, with the line feed that ends the line. It then
/// rejects the request, unless the chunk is one byte shorter than its line declares.
///
/// 1.0.1 passes on parts of a body in its receive buffer, where the head precedes them. So the byte before a part can be read.
extension UnsafeRawBufferPointer {
    var beginsWithinItsLine: Bool {
        guard let baseAddress, first == UInt8(ascii: "\n") else { return false }
        return (baseAddress - 1).load(as: UInt8.self) == UInt8(ascii: "\r")
    }
}
