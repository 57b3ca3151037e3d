internal import HTTPMessages

extension RequestRejection {
    /// Why libmicrohttpd sent a response with that status, as far as the status shows.
    init(libraryStatus status: Int, limits: RequestLimits) {
        self =
            switch status {
            case 413: .bodyTooLarge(limit: limits.body)
            case 414: .targetTooLong(limit: limits.target)
            case 431: .headersTooLarge(limit: limits.headers)
            case 505: .unsupportedHTTPVersion
            default: .malformedRequest("A line of the head, or the line before a chunk, is not valid.")
            }
    }

    /// Why libmicrohttpd rejects a request with that status after it has read the whole head.
    ///
    /// libmicrohttpd reports neither the error nor the method and the version. So this checks the head with OPTIONS and HTTP/1.1, which
    /// cause no error by themselves.
    init(libraryStatus status: Int, of request: Request.Content, limits: RequestLimits) {
        let head = RequestHead(
            method: .options,
            target: request.target,
            version: .http11,
            isExact: true,
            headers: request.headers
        )
        guard status == 400 else {
            self.init(libraryStatus: status, limits: limits)
            return
        }
        do throws(RequestRejection) {
            _ = try head.framing(limits: limits)
            self = .malformedRequest(
                "The Content-Length must be a number, without white space after it."
            )
        } catch {
            self = error
        }
    }
}
