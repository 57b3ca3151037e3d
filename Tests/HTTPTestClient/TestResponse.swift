/// A response as it was received.
public struct TestResponse: Equatable, Sendable {
    /// A header field.
    public struct Header: Equatable, Sendable {
        /// The name as the server spelt it.
        public let name: String
        /// The value without the white space around it.
        public let value: String
    }

    /// The protocol version, such as `HTTP/1.1`.
    public let version: String
    /// The status code.
    public let status: Int
    /// The reason phrase.
    public let reason: String
    /// The header fields, in order.
    public let headers: [Header]
    /// The body; empty if the response has no body.
    public internal(set) var body: [UInt8]

    /// The body as text; bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value of that name, compared without regard to case.
    public func header(_ name: String) -> String? { values(name).first }

    /// All values of that name, in order, compared without regard to case.
    public func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

extension TestResponse {
    /// A response that came over no connection.
    public init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        let headers = headers.map { Header(name: $0.name, value: $0.value) }
        self.init(version: "HTTP/1.1", status: status, reason: "", headers: headers, body: body)
    }
}
