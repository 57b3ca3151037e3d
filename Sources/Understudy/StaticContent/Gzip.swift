import CZlib

extension [UInt8] {
    /// The bytes in the format gzip (RFC 1952), without a name and a time: the same bytes always give the same result.
    ///
    /// - Throws: ``GzipError`` if there are 4 GiB or more, or there is no memory.
    func gzipped() throws(GzipError) -> [UInt8] {
        guard let size = UInt32(exactly: count) else { throw GzipError(code: Z_BUF_ERROR, size: count) }
        // zlib remembers the stream's address.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        // 15 bits for the largest window, and 16 to select gzip.
        let windowBits: Int32 = 15 + 16
        var code = deflateInit2_(
            stream,
            Z_BEST_COMPRESSION,
            Z_DEFLATED,
            windowBits,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard code == Z_OK else { throw GzipError(code: code, size: count) }
        defer { deflateEnd(stream) }
        var result = [UInt8](repeating: 0, count: Int(deflateBound(stream, uLong(size))))
        code = withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = size
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(clamping: output.count)
                return deflate(stream, Z_FINISH)
            }
        }
        guard code == Z_STREAM_END else { throw GzipError(code: code, size: count) }
        result.removeLast(result.count - Int(stream.pointee.total_out))
        return result
    }
}

package struct GzipError: Error, CustomStringConvertible {
    let code: Int32
    let size: Int

    package var description: String { "zlib cannot compress \(size) bytes: \(String(cString: zError(code))) (\(code))" }
}
