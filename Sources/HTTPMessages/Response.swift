/// A response to a request.
public struct Response: Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    /// The value of `Content-Type`; `nil` to leave out the field, as for a response without a body.
    public var contentType: ContentType?
    /// The header fields that the response has in common with others. Responses that differ only in their body and their
    /// ``requestID`` are the fastest: the server reuses what it has prepared for one of them.
    public var common: CommonHeaders?
    /// The value of `X-Request-ID`: the request's ``Request/id``; `nil` to send no such field.
    public var requestID: String?
    /// The other header fields. The server leaves out a field whose value contains CR or LF.
    public var headers: [HeaderField]
    /// The body; may be empty.
    public var body: [UInt8]

    /// Creates a response.
    public init(
        status: Int,
        contentType: ContentType? = nil,
        common: CommonHeaders? = nil,
        requestID: String? = nil,
        headers: [HeaderField] = [],
        body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.common = common
        self.requestID = requestID
        self.headers = headers
        self.body = body
    }

    /// The status of a handler's result with which its ``ResponseStream`` stays open, until its ``ResponseStream/finish(with:)`` is called. The
    /// stream must have a part.
    package static let streamGoesOn = 0

    /// All header fields, in order: the common ones, `X-Request-ID`, `Content-Type` and the others.
    public var fields: [HeaderField] {
        var fields = common?.fields ?? []
        if let requestID { fields.append((.xRequestID, requestID)) }
        if let contentType { fields.append((.contentType, contentType.description)) }
        return fields + headers
    }

    /// The value of the first header field of that name; `nil` if the response has no such field.
    public func header(_ name: HeaderName) -> String? {
        // Without `fields`, which copies all of them.
        if let value = common?.fields.value(of: name) { return value }
        if name == .xRequestID, let requestID { return requestID }
        if name == .contentType, let contentType { return contentType.description }
        return headers.value(of: name)
    }
}

extension [HeaderField] {
    fileprivate func value(of name: HeaderName) -> String? { first { $0.name == name }?.value }
}

/// The value of a `Content-Type` header, written as a literal.
public struct ContentType: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Ends with a zero byte in memory.
    package let value: StaticString

    /// Creates the content type that a literal contains.
    public init(stringLiteral value: StaticString) {
        self.value = value
    }

    public var description: String { value.description }

    /// JSON.
    public static let json: ContentType = "application/json"
    /// Plain text.
    public static let text: ContentType = "text/plain; charset=utf-8"
}
