import HTTPMessages
import CMicroHTTPD
import Glibc

/// Reuses libmicrohttpd's responses, because creating one costs as much as the rest of a response.
///
/// Responses of one kind differ only in the bytes of the body, which are in this pool's memory, in the date, the request's ID and the value of
/// an individual header, such as a new session's cookie.
/// Not thread-safe: each event loop has its own.
final class ResponsePool {
    /// A response that can be reused for bodies of the same size.
    final class Reusable {
        let response: OpaquePointer
        fileprivate let kind: Kind
        private let memory: UnsafeMutableRawPointer
        /// The values of `Date`, `X-Request-ID` and the individual header, in the memory of the response; `nil` without one.
        private var date, requestID, value: UnsafePointer<CChar>?
        private var seconds = 0

        /// `nil` if the individual header has the name of a common one, or there is no memory.
        fileprivate init?(_ kind: Kind, like example: Response) {
            if let header = example.headers.first,
                example.common?.fields.contains(where: { $0.name == header.name }) == true
            {
                return nil
            }
            memory = .allocate(byteCount: max(1, kind.size), alignment: 1)
            guard let response = CMicroHTTPD_response_of(memory, kind.size) else {
                memory.deallocate()
                return nil
            }
            self.kind = kind
            self.response = response
            var example = example
            example.requestID = nil
            example.headers = []
            response.add(example.fields)
        }

        deinit {
            MHD_destroy_response(response)
            memory.deallocate()
        }

        fileprivate func fill(_ content: borrowing Response, at time: borrowing Time, overwritesHeaders: Bool) {
            if time.seconds != seconds {
                seconds = time.seconds
                date = CMicroHTTPD_set_header(response, "Date", date, time.text, overwritesHeaders)
            }
            content.body.withUnsafeBytes {
                if let bytes = $0.baseAddress { memory.copyMemory(from: bytes, byteCount: $0.count) }
            }
            // To pass a text without a closure would copy it to the heap.
            content.requestID?.withCString {
                requestID = CMicroHTTPD_set_header(response, "X-Request-ID", requestID, $0, overwritesHeaders)
            }
            guard !content.headers.isEmpty else { return }
            content.headers[0].name.withCString { name in
                content.headers[0].value.withCString {
                    value = CMicroHTTPD_set_header(response, name, value, $0, overwritesHeaders)
                }
            }
        }
    }

    /// What responses must have in common to be reused for each other.
    fileprivate struct Kind: Equatable {
        let size: Int
        let contentType: UnsafePointer<UInt8>?
        let common: CommonHeaders?
        let hasRequestID: Bool
        /// `nil` if there is no individual header.
        let header: UnsafePointer<UInt8>?

        /// `nil` if the response has several individual headers, or one whose name is not a literal.
        init?(_ response: borrowing Response) {
            size = response.body.count
            contentType = response.contentType?.value.utf8Start
            common = response.common
            hasRequestID = response.requestID != nil
            if response.headers.isEmpty {
                header = nil
            } else {
                guard response.headers.count == 1, let name = response.headers[0].name.address else { return nil }
                header = name
            }
        }
    }

    /// A time in seconds after 1970, and as in `Date`, which libmicrohttpd would write again for each response.
    fileprivate struct Time {
        let seconds: Int
        let text: String
    }

    private var time = Time(seconds: 0, text: "")
    private var idle: [Reusable] = []
    private let overwritesHeaders: Bool

    private static let maximumCount = 512
    private static let maximumSize = 4096

    /// The argument is the result of `CMicroHTTPD_owns_header_values()`. If `false`, each use allocates the request's ID.
    init(overwritesHeaders: Bool) {
        self.overwritesHeaders = overwritesHeaders
    }

    /// A response with that content; `nil` if the content has several individual headers or a body of more than 4 KiB, because such
    /// responses are rare. Put it back with ``put(_:)`` when the request is complete.
    func take(for content: Response) -> Reusable? {
        guard content.body.count <= Self.maximumSize, let kind = Kind(content) else { return nil }
        // The response that was put back last is the most likely to fit, and its memory is in the processor's cache.
        let index = idle.lastIndex { $0.kind == kind }
        guard let reusable = index.map({ idle.remove(at: $0) }) ?? Reusable(kind, like: content) else { return nil }
        let seconds = Glibc.time(nil)
        if seconds != time.seconds { time = Time(seconds: seconds, text: httpDate(seconds)) }
        reusable.fill(content, at: time, overwritesHeaders: overwritesHeaders)
        return reusable
    }

    /// No request may use the response any more.
    func put(_ reusable: consuming Reusable) {
        if idle.count == Self.maximumCount { idle.removeFirst() }
        idle.append(reusable)
    }
}

extension OpaquePointer {
    /// Leaves out fields with a line break.
    func add(_ fields: [HeaderField]) {
        for field in fields { _ = field.name.withCString { CMicroHTTPD_add_header(self, $0, field.value) } }
    }
}
