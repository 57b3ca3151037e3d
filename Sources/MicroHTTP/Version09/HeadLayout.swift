internal import HTTPMessages
internal import Glibc

/// Checks whether a head contains only what libmicrohttpd 0.9 has read from it.
///
/// 0.9 ends a line at a bare line feed and a text at a NUL, joins folded lines, and drops what it does not accept. But what it passes to the
/// first call of its handler is still in the receive buffer. There, method, target, version and headers must follow each other up to the
/// empty line, separated only by the bytes that RFC 9112 allows between them. `LibraryCheck` tests whether the installed version needs
/// this check, and whether its buffer allows it.
struct HeadLayout {
    /// Where the next header, or the empty line, must begin.
    private var next: UnsafePointer<CChar>
    private var isExact: Bool
    private let start: UnsafePointer<CChar>

    /// - Parameter targetSize: the number of the target's bytes before libmicrohttpd decoded it.
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

    /// Checks a header, except its colon, which libmicrohttpd has overwritten.
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

    /// Whether all headers were where they must be, and the head ends after the last one.
    ///
    /// - Parameter size: the number of the head's bytes, with the empty line.
    func isExact(size: Int) -> Bool {
        isExact && next + "\r\n".utf8.count == start + size
    }
}

extension UnsafeBufferPointer<CChar> {
    /// A value without the white space at its end, which is not part of it (RFC 9110, section 5.5) and which 0.9 does not remove.
    ///
    /// A transfer coding keeps it: libmicrohttpd does not recognise `chunked ` as chunked, so other code must not do so either.
    func withoutSpacesAtItsEnd(of name: UnsafeBufferPointer<CChar>) -> UnsafeBufferPointer<CChar> {
        guard let last, last == 0x20 || last == 0x09,
            !name.elementsEqual("transfer-encoding".utf8, by: { UInt8(bitPattern: $0).lowercased == $1 })
        else { return self }
        let end = lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
        return UnsafeBufferPointer(rebasing: self[..<end])
    }
}
