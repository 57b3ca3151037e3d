extension Request {
    /// A request that this one results in.
    ///
    /// - Parameters:
    ///   - method: GET, POST or another method; the request's if `nil`.
    ///   - target: the path; the request's target if `nil`.
    ///   - accepting: the value of `Accept`.
    ///   - replacing: fields that replace those of the request. An empty value removes the field.
    ///   - body: the body.
    package func part(
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
