internal import CMicroHTTPD

/// libmicrohttpd's responses, used again and again: making one costs as much as all the rest of answering.
///
/// What differs from answer to answer of one kind is the body's bytes, which are this pool's memory, and the request's id.
/// Not thread-safe: each event loop has its own.
final class ResponsePool {
    /// A response that can be used again, for bodies of its size.
    final class Reusable {
        let response: OpaquePointer
        fileprivate let kind: Kind
        private let memory: UnsafeMutableRawPointer

        fileprivate init?(_ kind: Kind, commonHeaders: HeaderList) {
            memory = .allocate(byteCount: max(1, kind.size), alignment: 1)
            guard let response = CMicroHTTPD_response_of(memory, kind.size) else {
                memory.deallocate()
                return nil
            }
            self.kind = kind
            self.response = response
            commonHeaders.add(to: response)
            if let type = kind.contentType { addContentType(type, to: response) }
        }

        deinit {
            MHD_destroy_response(response)
            memory.deallocate()
        }

        fileprivate func fill(_ body: [UInt8], requestID: String) {
            body.withUnsafeBytes {
                if let bytes = $0.baseAddress { memory.copyMemory(from: bytes, byteCount: $0.count) }
            }
            requestID.withCString { CMicroHTTPD_set_header(response, "X-Request-ID", $0) }
        }
    }

    /// What responses that can stand in for each other have in common.
    fileprivate struct Kind: Equatable {
        let size: Int
        let contentType: UnsafePointer<UInt8>?
    }

    private var idle: [Reusable] = []
    private let commonHeaders: HeaderList

    private static let maximumCount = 512
    private static let maximumSize = 2048

    /// A pool of responses that carry those header fields.
    init(commonHeaders: HeaderList) {
        self.commonHeaders = commonHeaders
    }

    /// A response for that answer, to be given back with ``put(_:)`` when the request is over; `nil` where the answer is
    /// not of a kind that comes often.
    func take(for answer: Response, requestID: String) -> Reusable? {
        guard answer.headers.isEmpty, answer.body.count <= Self.maximumSize else { return nil }
        let kind = Kind(size: answer.body.count, contentType: answer.contentType?.value.utf8Start)
        // The one given back last is the likeliest to fit, and the one whose memory is at hand.
        let index = idle.lastIndex { $0.kind == kind }
        guard let reusable = index.map({ idle.remove(at: $0) }) ?? Reusable(kind, commonHeaders: commonHeaders) else {
            return nil
        }
        reusable.fill(answer.body, requestID: requestID)
        return reusable
    }

    /// Gives a response back that no request uses any more.
    func put(_ reusable: Reusable) {
        if idle.count == Self.maximumCount { idle.removeFirst() }
        idle.append(reusable)
    }
}

/// Header fields ready for C, which live as long as the list.
final class HeaderList {
    private let fields: [(name: UnsafePointer<CChar>, value: UnsafePointer<CChar>)]

    init(_ fields: [(name: String, value: String)]) {
        self.fields = fields.map { (copy($0.name), copy($0.value)) }
    }

    deinit {
        for field in fields {
            field.name.deallocate()
            field.value.deallocate()
        }
    }

    /// The fields as they are in a message.
    var lines: [String] { fields.map { "\(String(cString: $0.name)): \(String(cString: $0.value))" } }

    func add(to response: OpaquePointer) {
        for field in fields { _ = CMicroHTTPD_add_header(response, field.name, field.value) }
    }
}

/// Adds a `Content-Type` header.
func addContentType(_ type: UnsafePointer<UInt8>, to response: OpaquePointer) {
    _ = CMicroHTTPD_add_header(response, "Content-Type", UnsafeRawPointer(type).assumingMemoryBound(to: CChar.self))
}

/// A C string of one's own, to be deallocated.
private func copy(_ string: String) -> UnsafePointer<CChar> {
    let characters = string.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
    for (index, character) in characters.enumerated() { (copy + index).initialize(to: character) }
    return UnsafePointer(copy)
}
