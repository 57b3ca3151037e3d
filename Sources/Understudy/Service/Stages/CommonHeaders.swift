import HTTPMessages
import Logging

/// The stage that adds the header fields of every response: those in `UnderstudyPages/HTTP/CommonHeaders+Service.swift`, and those that let
/// scripts of allowed origins read the response.
extension UnderstudyService {
    func addHeaders(to response: inout Response, of request: Request) {
        response.addCommonHeaders(requestID: request.id)
        let origins = configuration.allowedOrigins
        if !origins.origins.isEmpty { response.headers += origins.headers(for: request) }
        if configuration.isDevelopment { reportOrigin(of: request) }
    }

    /// Logs why a browser does not let a script of another site read the response.
    private func reportOrigin(of request: Request) {
        guard let origin = request.headers.first(.origin), let host = request.headers[.host],
            !configuration.allowedOrigins.contains(origin)
        else { return }
        let text = String(decoding: origin, as: UTF8.self)
        if text.hasSuffix("://\(host)") { return }
        logger.warning("The origin is not in allowed-origins", metadata: ["origin": "\(text)"])
    }
}
