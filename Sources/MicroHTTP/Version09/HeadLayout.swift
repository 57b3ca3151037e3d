internal import CMicroHTTPD
internal import Glibc

/// Whether what libmicrohttpd 0.9 has made of a head is all that stood there.
///
/// It ends a line at a bare line feed and a text at a NUL, joins folded lines, and drops what it does not like. But
/// what it hands out on its handler's first call still points into the buffer of what has arrived. There method, target,
/// version and headers have to follow each other with exactly what belongs between them, to the empty line.
/// `LibraryCheck` finds out whether the installed version needs this, and keeps to it.
struct HeadLayout {
    /// Where the next header, or the empty line, has to begin.
    private var next: UnsafePointer<CChar>
    private var isExact: Bool
    private let start: UnsafePointer<CChar>

    /// - Parameter targetSize: the target's bytes before anything in it was decoded.
    init(
        method: UnsafePointer<CChar>,
        target: UnsafePointer<CChar>,
        targetSize: Int,
        version: UnsafePointer<CChar>
    ) {
        start = method
        isExact = target == method + strlen(method) + " ".utf8.count && version == target + targetSize + " ".utf8.count
        next = version + strlen(version) + "\r\n".utf8.count
    }

    /// A header stands there. Its colon has been overwritten.
    mutating func add(name: UnsafeBufferPointer<CChar>, value: UnsafeBufferPointer<CChar>) {
        guard let nameStart = name.baseAddress, let valueStart = value.baseAddress else {
            isExact = false
            return
        }
        let space = nameStart + name.count + ":".utf8.count
        isExact = isExact && nameStart == next && space <= valueStart
        guard isExact else { return }
        isExact = UnsafeBufferPointer(start: space, count: valueStart - space).allSatisfy { $0 == 0x20 || $0 == 0x09 }
        next = valueStart + value.count + "\r\n".utf8.count
    }

    /// Whether everything up to the end of the head belongs to it.
    ///
    /// - Parameter size: the head's bytes, with the empty line.
    func isExact(size: Int) -> Bool {
        isExact && next + "\r\n".utf8.count == start + size
    }
}

extension Request.Storage {
    /// Reads the headers as libmicrohttpd 0.9 hands them out, and returns whether they are all that the head contains.
    func readHeaders(of handle: OpaquePointer, checking layout: HeadLayout) -> Bool {
        var reading = HeadReading(request: self, layout: layout)
        withUnsafeMutablePointer(to: &reading) { CMicroHTTPD_headers(handle, $0, collectHeader) }
        return reading.layout.isExact(size: CMicroHTTPD_head_size(handle))
    }
}

/// What a head is read into: the request, and whether the head contains nothing else.
private struct HeadReading {
    let request: Request.Storage
    var layout: HeadLayout
}

/// Adds a header to the `HeadReading` behind the context.
private func collectHeader(
    context: UnsafeMutableRawPointer?,
    kind: Int32,
    name: UnsafePointer<CChar>?,
    nameSize: Int,
    value: UnsafePointer<CChar>?,
    valueSize: Int
) -> Int32 {
    guard let context, let name else { return 0 }
    let fieldName = UnsafeBufferPointer(start: name, count: nameSize)
    let fieldValue = UnsafeBufferPointer(start: value, count: value == nil ? 0 : valueSize)
    let reading = context.assumingMemoryBound(to: HeadReading.self)
    reading.pointee.request.headers.append(name: fieldName, value: fieldValue.withoutSpacesAtItsEnd(of: fieldName))
    reading.pointee.layout.add(name: fieldName, value: fieldValue)
    return 1
}

extension UnsafeBufferPointer<CChar> {
    /// A value without the white space at its end, which does not belong to it (RFC 9110, section 5.5) and which 0.9 leaves there.
    ///
    /// A transfer coding keeps it: libmicrohttpd does not recognise `chunked ` as chunked, so that no other code may.
    fileprivate func withoutSpacesAtItsEnd(of name: UnsafeBufferPointer<CChar>) -> UnsafeBufferPointer<CChar> {
        guard let last, last == 0x20 || last == 0x09,
            !name.elementsEqual("transfer-encoding".utf8, by: { UInt8(bitPattern: $0).lowercased == $1 })
        else { return self }
        let end = lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
        return UnsafeBufferPointer(rebasing: self[..<end])
    }
}
