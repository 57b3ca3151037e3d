package import Logging

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

    package init() {}

    /// Describes a request whose page and event are not known.
    public init(_ request: Request) {
        describe(request)
    }

    /// The request's page and event are not known.
    mutating func describe(_ request: Request) {
        id = request.id
        target = request.target
        page = ""
        event = ""
    }

    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["request": .string(id)]
        if page.isEmpty {
            metadata["path"] = .string(String(target.prefix { $0 != "?" }.prefix(100)))
        } else {
            metadata["page"] = .string(page)
        }
        if !event.isEmpty { metadata["event"] = .string(event) }
        return metadata
    }
}

extension Logger.MetadataProvider {
    /// Adds `request`, and `page` and `event` or `path`, to each line that the task of a request logs.
    package static let request = Logger.MetadataProvider { RequestTrace.current?.request.metadata ?? [:] }
}
