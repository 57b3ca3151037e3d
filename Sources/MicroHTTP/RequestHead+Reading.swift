internal import CMicroHTTPD
internal import Glibc

// How a head is read out of libmicrohttpd, on its handler's first call.

extension RequestHead {
    /// Reads method and headers into the request, whose target is known from before libmicrohttpd decoded it.
    init(
        of handle: OpaquePointer,
        url: UnsafePointer<CChar>,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        into request: Request.Storage
    ) {
        request.method = Method(cString: method)
        let targetSize = request.target.utf8.count
        let layout = HeadLayout(method: method, target: url, targetSize: targetSize, version: version)
        var reading = HeadReading(request: request, layout: layout)
        withUnsafeMutablePointer(to: &reading) { CMicroHTTPD_headers(handle, $0, collectHeader) }
        self.init(
            method: request.method,
            target: request.target,
            version: Version(cString: version),
            isExact: reading.layout.isExact(size: CMicroHTTPD_head_size(handle)),
            headers: request.headers
        )
    }
}

/// What a head is read into: the request, and whether nothing else stands there.
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
    /// A value without what does not belong to it (RFC 9110, section 5.5) and 0.9.75 leaves there.
    ///
    /// A transfer coding keeps it: with it libmicrohttpd does not take `chunked` for that, so that nobody else may.
    fileprivate func withoutSpacesAtItsEnd(of name: UnsafeBufferPointer<CChar>) -> UnsafeBufferPointer<CChar> {
        guard let last, last == 0x20 || last == 0x09,
            !name.elementsEqual("transfer-encoding".utf8, by: { UInt8(bitPattern: $0).lowercased == $1 })
        else { return self }
        let end = lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
        return UnsafeBufferPointer(rebasing: self[..<end])
    }
}

extension Headers {
    fileprivate mutating func append(name: UnsafeBufferPointer<CChar>, value: UnsafeBufferPointer<CChar>) {
        name.withMemoryRebound(to: UInt8.self) { name in
            value.withMemoryRebound(to: UInt8.self) { value in append(name: name, value: value) }
        }
    }
}

extension Method {
    /// The method in a request line; the usual ones are known.
    fileprivate init(cString: UnsafePointer<CChar>) {
        if strcmp(cString, "POST") == 0 {
            self = .post
        } else if strcmp(cString, "GET") == 0 {
            self = .get
        } else {
            self.init(rawValue: String(cString: cString))
        }
    }
}

extension RequestHead.Version {
    /// The version in a request line.
    fileprivate init(cString: UnsafePointer<CChar>) {
        if strcmp(cString, "HTTP/1.1") == 0 {
            self = .http11
        } else {
            self = strcmp(cString, "HTTP/1.0") == 0 ? .http10 : .other
        }
    }
}
