public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A transport that sends requests over the network with `URLSession`.
public struct URLSessionTransport: Transport {
    private let base: String
    private let session: URLSession

    /// Creates a transport to the service at a URL.
    ///
    /// - Parameters:
    ///   - base: the URL of the service, such as `https://understudy.example`. Its path is the service's path prefix.
    ///   - session: sends the requests, with the timeouts of its configuration. The default is a shared session without cookies
    ///     and without a cache.
    public init(_ base: URL, session: URLSession? = nil) {
        self.base = base.absoluteString
        self.session = session ?? Self.shared
    }

    private static let shared: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()

    public func send(_ request: RemoteRequest) async throws -> RemoteResponse {
        let (data, response) = try await session.data(for: try urlRequest(request))
        guard let response = response as? HTTPURLResponse else {
            throw RemoteError.malformedResponse("It is not an HTTP response.")
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        return RemoteResponse(status: response.statusCode, headers: headers, body: Array(data))
    }

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
