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

        fileprivate init?(_ kind: Kind, like example: Response) {
            memory = .allocate(byteCount: max(1, kind.size), alignment: 1)
            guard let response = CMicroHTTPD_response_of(memory, kind.size) else {
                memory.deallocate()
                return nil
            }
            self.kind = kind
            self.response = response
            var example = example
            example.requestID = nil
            response.add(example.fields)
        }

        deinit {
            MHD_destroy_response(response)
            memory.deallocate()
        }

        fileprivate func fill(_ body: [UInt8], requestID: String?, overwritesHeaders: Bool) {
            body.withUnsafeBytes {
                if let bytes = $0.baseAddress { memory.copyMemory(from: bytes, byteCount: $0.count) }
            }
            if let requestID { CMicroHTTPD_set_header(response, "X-Request-ID", requestID, overwritesHeaders) }
        }
    }

    /// What responses that can stand in for each other have in common.
    fileprivate struct Kind: Equatable {
        let size: Int
        let contentType: UnsafePointer<UInt8>?
        let common: CommonHeaders?
        let hasRequestID: Bool

        init(_ response: Response) {
            size = response.body.count
            contentType = response.contentType?.value.utf8Start
            common = response.common
            hasRequestID = response.requestID != nil
        }
    }

    private var idle: [Reusable] = []
    private let overwritesHeaders: Bool

    private static let maximumCount = 512
    private static let maximumSize = 2048

    /// - Parameter overwritesHeaders: whether `CMicroHTTPD_owns_header_values()`. Otherwise each use allocates the request's ID anew.
    init(overwritesHeaders: Bool) {
        self.overwritesHeaders = overwritesHeaders
    }

    /// A response for that answer, to be given back with ``put(_:)`` when the request is over; `nil` where the answer is
    /// not of a kind that comes often.
    func take(for answer: Response) -> Reusable? {
        guard answer.headers.isEmpty, answer.body.count <= Self.maximumSize else { return nil }
        let kind = Kind(answer)
        // The one given back last is the likeliest to fit, and the one whose memory is at hand.
        let index = idle.lastIndex { $0.kind == kind }
        guard let reusable = index.map({ idle.remove(at: $0) }) ?? Reusable(kind, like: answer) else { return nil }
        reusable.fill(answer.body, requestID: answer.requestID, overwritesHeaders: overwritesHeaders)
        return reusable
    }

    /// Gives a response back that no request uses any more.
    func put(_ reusable: Reusable) {
        if idle.count == Self.maximumCount { idle.removeFirst() }
        idle.append(reusable)
    }
}

extension OpaquePointer {
    /// Adds header fields to a response of libmicrohttpd. Those that would end their line are left out.
    func add(_ fields: [(name: HeaderName, value: String)]) {
        for field in fields { _ = field.name.withCString { CMicroHTTPD_add_header(self, $0, field.value) } }
    }
}
