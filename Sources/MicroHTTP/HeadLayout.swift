internal import CMicroHTTPD
internal import Glibc

/// Whether what libmicrohttpd has made of a head is all that stood there.
///
/// 0.9.75 ends a line at a bare line feed and a text at a NUL, joins folded lines, and drops what it does not like. But
/// what it hands out on its handler's first call still points into the buffer of what has arrived. There method, target,
/// version and headers have to follow each other with exactly what belongs between them, to the empty line.
/// `LibraryCheck` finds out whether the installed version keeps to that.
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
