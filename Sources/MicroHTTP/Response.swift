/// An answer to a request.
public struct Response: Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    /// The header fields beside those that every answer carries.
    public var headers: [(name: String, value: String)]
    /// The body; empty where there is none.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header field of that name, compared without regard to case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
