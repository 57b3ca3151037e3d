import HTTPMessages
import CMicroHTTPD
import Glibc

// Reads a head from libmicrohttpd, during the first call of its handler.

/// Where libmicrohttpd found the parts of a head, during the first call of its handler. They are in its receive buffer.
struct ReceivedHead {
    let handle: OpaquePointer
    let url, method, version: UnsafePointer<CChar>

    /// The head, from the method to the empty line, as libmicrohttpd has left it: with NULs at the ends of names and values.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: method, count: CMicroHTTPD_head_size(handle)) }

    /// libmicrohttpd keeps the head in its connection's memory with a node for each field, and a copy of the first Cookie field with a node for each
    /// cookie.
    func fits(in memory: Int, _ headers: Headers) -> Bool {
        let nodeSize = 64
        let size = bytes.count + headers.count * nodeSize
        return headers.withFirst(.cookie) { cookie in
            let room = memory - size - cookie.count
            // Each cookie has a separator. For speed: the cookies of most requests need not be counted.
            if (cookie.count + 1) * nodeSize <= room { return true }
            return (cookie.count { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } + 1) * nodeSize <= room
        } ?? (size <= memory)
    }
}

extension RequestHead {
    /// The request already contains the target as it was before libmicrohttpd decoded it. Unless libmicrohttpd is strict, and rejects malformed heads
    /// by itself, a `HeadLayout` checks the head.
    init(_ head: ReceivedHead, isStrict: Bool, into request: inout Request.Content) {
        request.method = Method(cString: head.method)
        let targetSize = request.target.utf8.count
        let layout =
            isStrict
            ? nil : HeadLayout(method: head.method, target: head.url, targetSize: targetSize, version: head.version)
        self.init(
            method: request.method,
            target: request.target,
            version: Version(cString: head.version),
            isExact: request.headers.read(from: head.handle, checking: layout),
            headers: request.headers
        )
        request.acceptID()
    }
}

extension Request.Content {
    /// The client's ID if it is valid, else a new one.
    mutating func acceptID() {
        id = headers.first(.xRequestID).flatMap(RequestID.accepted) ?? RequestID.next()
    }
}

extension Headers {
    /// Returns whether the head contains nothing else, if there is a layout to check.
    @discardableResult
    mutating func read(from handle: OpaquePointer, checking layout: HeadLayout? = nil) -> Bool {
        let count = CMicroHTTPD_headers(handle, nil, nil)
        return withUnsafeTemporaryAllocation(of: Field.self, capacity: Int(count)) { fields in
            var end = fields.baseAddress
            CMicroHTTPD_headers(handle, &end, collectHeader)
            let isExact = layout?.isExact(fields, size: CMicroHTTPD_head_size(handle)) ?? true
            append(UnsafeBufferPointer(fields))
            return isExact
        }
    }
}

/// Writes a header to the place behind the context, and moves that place to its end.
private func collectHeader(
    context: UnsafeMutableRawPointer?,
    kind: Int32,
    name: UnsafePointer<UInt8>?,
    nameSize: Int,
    value: UnsafePointer<UInt8>?,
    valueSize: Int
) -> Int32 {
    guard let end = context?.assumingMemoryBound(to: UnsafeMutablePointer<Headers.Field>.self) else { return 0 }
    end.pointee.initialize(
        to: Headers.Field(
            name: UnsafeBufferPointer(start: name, count: nameSize),
            value: UnsafeBufferPointer(start: value, count: valueSize)
        )
    )
    end.pointee += 1
    return 1
}

extension Method {
    /// The two most frequent methods need no copy.
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
    fileprivate init(cString: UnsafePointer<CChar>) {
        if strcmp(cString, "HTTP/1.1") == 0 {
            self = .http11
        } else {
            self = strcmp(cString, "HTTP/1.0") == 0 ? .http10 : .other
        }
    }
}
