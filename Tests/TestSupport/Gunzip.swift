import CZlib

extension [UInt8] {
    /// The bytes that were compressed to these; `nil` if these are not gzip, or were more than 4 MiB.
    package var gunzipped: [UInt8]? {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(stream) }
        var result = [UInt8](repeating: 0, count: 4 << 20)
        let code = withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                return inflate(stream, Z_FINISH)
            }
        }
        guard code == Z_STREAM_END, stream.pointee.avail_in == 0 else { return nil }
        result.removeLast(result.count - Int(stream.pointee.total_out))
        return result
    }
}
