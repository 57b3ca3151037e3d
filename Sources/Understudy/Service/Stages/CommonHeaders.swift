import HTTPMessages

/// The stage that adds the header fields of every response; `HTTP/CommonHeaders+Service.swift` lists them.
extension UnderstudyService {
    func addCommonHeaders(to response: inout Response, of request: Request) {
        response.addCommonHeaders(requestID: request.id)
    }
}
