import HTTPMessages
import Glibc

/// Checks whether a head contains only what libmicrohttpd 0.9 has read from it.
///
/// 0.9 ends a line at a bare line feed and a text at a NUL, joins folded lines, and drops what it does not accept. But what it passes to the
/// first call of its handler is still in the receive buffer. There, method, target, version and headers must follow each other up to the
/// empty line, separated only by the bytes that RFC 9112 allows between them. `LibraryCheck` reports whether the installed version needs
/// this check.
struct HeadLayout {
    private let start: UnsafePointer<UInt8>
    /// Where the first header, or the empty line, must begin; `nil` if the request line contains anything else.
    private let headers: UnsafePointer<UInt8>?

    /// The size is that of the target before libmicrohttpd decoded it, in bytes.
    init(method: UnsafePointer<CChar>, target: UnsafePointer<CChar>, targetSize: Int, version: UnsafePointer<CChar>) {
        start = UnsafeRawPointer(method).assumingMemoryBound(to: UInt8.self)
        let isExact =
            target == method + strlen(method) + " ".utf8.count && version == target + targetSize + " ".utf8.count
        headers = isExact ? start + (version - method) + strlen(version) + "\r\n".utf8.count : nil
    }

    /// Whether all headers are where they must be, and the head ends after the last one. Removes the white space at the end of each value. The fields
    /// lack their colons, which libmicrohttpd has overwritten, and the size includes the empty line.
    func isExact(_ fields: UnsafeMutableBufferPointer<Headers.Field>, size: Int) -> Bool {
        var next = headers
        for index in fields.indices {
            let (name, value) = (fields[index].name, fields[index].value)
            if let place = next { next = Self.end(of: name, value, at: place) }
            fields[index].value = value.withoutSpacesAtItsEnd(of: name)
        }
        return next.map { $0 + "\r\n".utf8.count } == start + size
    }

    /// `nil` if the header is not at that place, or contains anything else.
    private static func end(
        of name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>,
        at place: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var space = place + name.count + ":".utf8.count
        guard name.baseAddress == place, let valueStart = value.baseAddress, space <= valueStart else { return nil }
        while space < valueStart {
            guard space.pointee == 0x20 || space.pointee == 0x09 else { return nil }
            space += 1
        }
        return valueStart + value.count + "\r\n".utf8.count
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// A value without the white space at its end, which is not part of it (RFC 9110, section 5.5) and which 0.9 does not remove.
    ///
    /// A transfer coding keeps it: libmicrohttpd does not recognise `chunked ` as chunked, so other code must not do so either.
    fileprivate func withoutSpacesAtItsEnd(of name: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard let last, last == 0x20 || last == 0x09, !name.equalsIgnoringCase("transfer-encoding".utf8) else {
            return self
        }
        let end = lastIndex { !$0.isBlank }.map { $0 + 1 } ?? 0
        return UnsafeBufferPointer(rebasing: self[..<end])
    }
}
