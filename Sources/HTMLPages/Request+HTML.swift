import MicroHTTP
import Understudy

extension Request {
    /// Whether the header `Accept` prefers `text/html` to `application/json` (RFC 9110, section 12.5.1). Programs, which send `*/*` or no such
    /// header, do not.
    var prefersHTML: Bool {
        guard let accept = headers.first("Accept"), accept.count <= 4096 else { return false }
        var html = 0.0
        var json = 0.0
        for range in accept.split(separator: UInt8(ascii: ",")) {
            let parts = range.split(separator: UInt8(ascii: ";")).map {
                String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }.lowercased()
            }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            switch parts.first {
            case "text/html", "application/xhtml+xml": html = max(html, quality)
            case "application/json", "application/problem+json": json = max(json, quality)
            default: break
            }
        }
        return html > json
    }

    /// A request that a browser's request results in.
    ///
    /// - Parameters:
    ///   - method: GET, POST or another method; the request's if `nil`.
    ///   - target: the path; the request's target if `nil`.
    ///   - accepting: the value of `Accept`.
    ///   - replacing: fields that replace those of the request. An empty value removes the field.
    ///   - body: the body.
    func part(
        _ method: Method? = nil,
        _ target: String? = nil,
        accepting: String = "application/json",
        replacing: [(name: HeaderName, value: String)] = [],
        body: [UInt8]? = nil
    ) -> Request {
        let replacing = replacing + [("Accept", accepting)]
        var fields: [(name: HeaderName, value: String)] = []
        for field in headers.all {
            guard let name = HeaderName(String(decoding: field.name, as: UTF8.self)),
                !replacing.contains(where: { $0.name == name })
            else { continue }
            fields.append((name, String(decoding: field.value, as: UTF8.self)))
        }
        return Request(
            partOf: self,
            method ?? self.method,
            target ?? self.target,
            headers: Headers(fields + replacing.filter { !$0.value.isEmpty }),
            body: body ?? self.body
        )
    }
}

extension Response {
    var isProblem: Bool { contentType?.description == "application/problem+json" }
    var isJSON: Bool { contentType?.description == ContentType.json.description }

    /// The response, or what `page` makes of it if it is a problem.
    func problemOr(_ page: (Response) -> Response) -> Response { isProblem ? page(self) : self }
}
