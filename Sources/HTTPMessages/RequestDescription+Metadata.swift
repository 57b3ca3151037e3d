package import Logging

extension RequestDescription {
    /// The fields of a log line.
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
