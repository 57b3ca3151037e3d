/// An answer to a request.
public struct Response: Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    /// What the body is; nothing where there is none.
    public var contentType: ContentType?
    /// The other header fields, beside those that every answer carries.
    public var headers: [(name: String, value: String)]
    /// The body; empty where there is none.
    public var body: [UInt8]

    /// An answer.
    public init(
        status: Int,
        contentType: ContentType? = nil,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    /// The first header field of that name, compared without regard to case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// The value of a `Content-Type` header, known beforehand.
public struct ContentType: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The value, with a zero byte behind it.
    let value: StaticString

    /// A content type.
    public init(stringLiteral value: StaticString) {
        self.value = value
    }

    public var description: String { value.description }

    /// JSON.
    public static let json: ContentType = "application/json"
    /// Plain text.
    public static let text: ContentType = "text/plain; charset=utf-8"
}
