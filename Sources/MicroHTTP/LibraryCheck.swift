import HTTPMessages
import CMicroHTTPD
import Glibc
import Synchronization

/// How the installed libmicrohttpd treats the heads of requests, tested with valid and invalid ones.
///
/// 0.9 accepts some invalid heads. The server can use 0.9 only because it leaves all bytes in its buffer: `HeadLayout` finds the bytes that
/// it did not pass on. 1.0 rejects invalid heads by itself.
///
/// Code that only 0.9 needs is in the folder `Version09` or depends on `isStrict`. Remove it with the support for Debian 12.
struct LibraryCheck: Equatable {
    /// Whether the library rejects invalid heads by itself. Otherwise, what it passes to its handler is still in the buffer, in the order of
    /// arrival.
    let isStrict: Bool
    /// Whether the lines between the chunks of a body are also in the buffer, so that `ChunkLines` finds them. `false` if `isStrict`.
    let hasChunkLayout: Bool
    /// Whether each response has its own, writable copies of its headers' values, so that a reused response can get another one.
    let ownsHeaderValues: Bool

    private static let known = Mutex<LibraryCheck?>(nil)

    /// The result for the installed version, tested once. An error is not stored, because its cause may end, such as a lack of descriptors.
    static func installed() throws(ServerError) -> LibraryCheck {
        try known.withLock { (known) throws(ServerError) in
            if let known { return known }
            let probe = try LibraryProbe()
            let check = try LibraryCheck(
                version: String(cString: MHD_get_version()),
                valid: valid.map { (text) throws(ServerError) in (text, try probe.read([text])) },
                invalid: invalid.map { (text) throws(ServerError) in (text, try probe.read([text])) },
                chunkSizes: probe.readChunks(chunked),
                ownsHeaderValues: CMicroHTTPD_owns_header_values()
            )
            known = check
            return check
        }
    }

    /// - Parameters:
    ///   - valid: heads to accept, each with the head that the handler gets; `nil` if the handler is never called.
    ///   - invalid: heads to reject.
    ///   - chunkSizes: the sizes that `ChunkLines` finds in the lines of a body of three chunks.
    ///   - ownsHeaderValues: the result of `CMicroHTTPD_owns_header_values()`.
    init(
        version: String,
        valid: [(text: String, head: RequestHead?)],
        invalid: [(text: String, head: RequestHead?)],
        chunkSizes: [UInt64] = [],
        ownsHeaderValues: Bool = false
    ) throws(ServerError) {
        let isStrict = invalid.allSatisfy { !Self.accepts($0.head, isStrict: true) }
        self.isStrict = isStrict
        self.ownsHeaderValues = ownsHeaderValues
        hasChunkLayout = !isStrict && chunkSizes == [5, 1, 3]
        let misread =
            valid.first { !Self.accepts($0.head, isStrict: isStrict) }
            ?? invalid.first { Self.accepts($0.head, isStrict: isStrict) }
        if let misread { throw .unsuitableLibrary(version: version, head: misread.text) }
    }

    /// Whether the server accepts a head that the library passed on.
    private static func accepts(_ head: RequestHead?, isStrict: Bool) -> Bool {
        guard var head else { return false }
        if isStrict { head.isExact = true }
        return (try? head.framing(limits: RequestLimits(ServerConfiguration()))) != nil
    }

    static let valid = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a%20b/%2e?c=%26&d=+ HTTP/1.0\r\nConnection:close\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: \t a \t\r\nX:\r\nX: b\tc\r\nCookie: d=e; f\r\nContent-Length: 2\r\n\r\n",
        "POST http://a/b?c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
    ]

    static let chunked = [
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\n12345\r\n1\r\n1\r\n",
        "3\r\n123\r\n0\r\n\r\n",
    ]

    static let invalid = [
        "GET / HTTP/1.1\r\nHost: a\r\n\0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\0X: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n",
        "GET / HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n",
        "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
    ]
}

/// A daemon without a port, which reads heads for the test.
private final class LibraryProbe {
    private var daemon: OpaquePointer?
    fileprivate var request = Request.Content()
    fileprivate var head: RequestHead?
    /// Whether the probe reads bodies after the heads.
    private(set) fileprivate var readsBody = false
    fileprivate var lines: ChunkLines?
    private var sizes: [UInt64] = []
    private var runs: UInt64 = 0

    init() throws(ServerError) {
        var callbacks = probeCallbacks()
        let memory = ServerConfiguration().connectionMemory
        daemon = CMicroHTTPD_start(-1, &callbacks, Unmanaged.passUnretained(self).toOpaque(), false, memory, 1, 0)
        guard daemon != nil else { throw .cannotStart(reason: lastError()) }
    }

    deinit {
        MHD_stop_daemon(daemon)
    }

    /// The sizes that `ChunkLines` finds in a request that arrives in the given parts.
    func readChunks(_ parts: [String]) throws(ServerError) -> [UInt64] {
        sizes = []
        readsBody = true
        defer { readsBody = false }
        _ = try read(parts)
        return sizes
    }

    /// The head that the handler gets if a request arrives in the given parts; `nil` if the handler is never called.
    func read(_ parts: [String]) throws(ServerError) -> RequestHead? {
        var sockets: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else { throw .cannotStart(reason: lastError()) }
        request = Request.Content()
        head = nil
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNIX)
        _ = CMicroHTTPD_add_connection(daemon, sockets[1], &address, socklen_t(MemoryLayout<sa_family_t>.size))
        for text in parts {
            let bytes = Array(text.utf8)
            _ = send(sockets[0], bytes, bytes.count, Int32(MSG_NOSIGNAL))
            for _ in 0..<4 { run() }
        }
        close(sockets[0])
        run()
        return head
    }

    private func run() {
        runs += 1
        CMicroHTTPD_run(daemon)
    }

    /// Takes a part of a body. Returns `false` if it has no line.
    fileprivate func take(_ part: UnsafeRawBufferPointer) -> Bool {
        guard !part.isEmpty, let line = try? lines?.line(before: part, read: runs) else { return false }
        sizes.append(line.size)
        return true
    }
}

/// The callbacks of the probe's daemon. The handler stores the head, and closes the connection unless the probe reads bodies.
private func probeCallbacks() -> CMicroHTTPD_Callbacks {
    CMicroHTTPD_Callbacks(
        accept: { probe, address, size in 1 },
        target: { probe, target, connection in
            guard let probe, let target else { return nil }
            Unmanaged<LibraryProbe>.fromOpaque(probe).takeUnretainedValue().request.target = String(cString: target)
            CMicroHTTPD_hide_query(target)
            return nil
        },
        handle: { probe, connection, url, method, version, data, size, context in
            guard let probe, let connection, let url, let method, let version else { return 0 }
            let owner = Unmanaged<LibraryProbe>.fromOpaque(probe).takeUnretainedValue()
            if owner.head != nil {
                let part = UnsafeRawBufferPointer(start: data, count: size?.pointee ?? 0)
                size?.pointee = 0
                return owner.take(part) ? 1 : 0
            }
            let head = ReceivedHead(handle: connection, url: url, method: method, version: version)
            owner.lines = head.bytes.baseAddress.map { ChunkLines(start: $0 + head.bytes.count) }
            owner.head = RequestHead(head, isStrict: false, into: &owner.request)
            return owner.readsBody ? 1 : 0
        },
        completed: { probe, connection, context, code in },
        connection: { probe, connection, context, code in },
        log: { probe, format, arguments in },
        identity: { session, _, _, _, _, chain, count, key in -1 }
    )
}
