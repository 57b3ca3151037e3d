public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A transport that sends requests over the network with `URLSession`.
public struct URLSessionTransport: Transport {
    private let base: String
    #if canImport(FoundationNetworking)
        private let session: StreamingSession
    #else
        private let session: URLSession
    #endif

    /// Creates a transport to the service at a URL.
    ///
    /// - Parameters:
    ///   - base: the URL of the service, such as `https://understudy.example`. Its path is the service's path prefix.
    ///   - session: sends the requests, with the timeouts of its configuration. The default is a shared session without cookies
    ///     and without a cache. On Linux, a session with the same configuration, but without its delegate.
    public init(_ base: URL, session: URLSession? = nil) {
        self.base = base.absoluteString
        #if canImport(FoundationNetworking)
            self.session = StreamingSession((session ?? Self.shared).configuration)
        #else
            self.session = session ?? Self.shared
        #endif
    }

    private static let shared: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()

    #if canImport(FoundationNetworking)
        public func stream(_ request: RemoteRequest) async throws -> RemoteResponseStream {
            let (response, body) = try await session.send(try urlRequest(request))
            return RemoteResponseStream(try response.head, body: body)
        }
    #else
        public func stream(_ request: RemoteRequest) async throws -> RemoteResponseStream {
            let (bytes, response) = try await session.bytes(for: try urlRequest(request))
            return RemoteResponseStream(try response.head, body: Self.lines(bytes))
        }

        /// The bytes in parts that end with a line feed.
        private static func lines(_ bytes: URLSession.AsyncBytes) -> AsyncThrowingStream<[UInt8], any Error> {
            AsyncThrowingStream { continuation in
                let task = Task {
                    do {
                        var line: [UInt8] = []
                        for try await byte in bytes {
                            line.append(byte)
                            guard byte == UInt8(ascii: "\n") else { continue }
                            continuation.yield(line)
                            line = []
                        }
                        continuation.yield(line)
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    #endif

    private func urlRequest(_ request: RemoteRequest) throws -> URLRequest {
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        guard let url = URL(string: base + request.target) else { throw URLError(.badURL) }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        if request.method == "POST" { urlRequest.httpBody = Data(request.body) }
        return urlRequest
    }
}

extension URLResponse {
    fileprivate var head: RemoteResponse {
        get throws {
            guard let response = self as? HTTPURLResponse else {
                throw RemoteError.malformedResponse("It is not an HTTP response.")
            }
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
            return RemoteResponse(status: response.statusCode, headers: headers)
        }
    }
}
