import HTTPMessages
import Understudy

extension Request {
    var isReading: Bool { method == .get || method == .head }

    /// Whether the header `Accept` prefers `text/html` to `application/json` (RFC 9110, section 12.5.1). Programs, which send `*/*` or no such
    /// header, do not.
    var prefersHTML: Bool {
        headers.withAcceptedMedia { accepted in
            let html = accepted.quality(of: "text/html", "application/xhtml+xml")
            return html > 0 && html > accepted.quality(of: "application/json", "application/problem+json")
        } ?? false
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
