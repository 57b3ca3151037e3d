/// What a log line says about a request.
public struct RequestDescription: Equatable, Sendable {
    /// The ID of the request.
    public var id = ""
    /// Path and query as in the request line.
    public var target = ""
    /// The name of the page; empty if the responder has not found one.
    public var page = ""
    /// The name of the event; empty if the responder has not found one.
    public var event = ""

    /// Describes no request.
    package init() {}

    /// Describes a request whose page and event are not known.
    public init(_ request: Request) {
        id = request.id
        target = request.target
    }
}
