internal import HTTPMessages

extension RequestRejection {
    /// Why libmicrohttpd responds with that status, as far as the status and the head show.
    ///
    /// libmicrohttpd reports neither the error nor the method and the version. So this checks the head with OPTIONS and HTTP/1.1, which
    /// cause no error by themselves.
    ///
    /// - Parameter request: the request, if libmicrohttpd has read its whole head.
    init(libraryStatus status: Int, of request: Request.Content? = nil, limits: RequestLimits) {
        switch status {
        case 413: self = .bodyTooLarge(limit: limits.body)
        case 414: self = .targetTooLong(limit: limits.target)
        case 431: self = .headersTooLarge(limit: limits.headers)
        case 505: self = .unsupportedHTTPVersion
        default:
            self = .malformedRequest("A line of the head, or the line before a chunk, is not valid.")
            guard status == 400, let request else { return }
            let (target, headers) = (request.target, request.headers)
            let head = RequestHead(method: .options, target: target, version: .http11, isExact: true, headers: headers)
            do throws(RequestRejection) {
                _ = try head.framing(limits: limits)
                self = .malformedRequest("The Content-Length must be a number, without white space after it.")
            } catch {
                self = error
            }
        }
    }
}
