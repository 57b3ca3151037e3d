import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// What an agent wants to know while its request is open: which of some pages show something else than before.
struct AgentSubscription: HistoryFormat {
    private let id: Value
    private let pages: [Page]

    /// The maximum number of pages, so that a notification of each fits into what may wait for a client.
    private static let maximumPages = 100

    /// Reads the filter of `subscriptions/listen`. What is no resource, or not supported, is left out of what the server acknowledges.
    init(_ message: AgentMessage, id: Value, pages: [Page]) throws(AgentError) {
        guard let filter = message.params["notifications"]?.object else {
            throw .invalidParams("'notifications' must be an object.")
        }
        guard let uris = (filter["resourceSubscriptions"] ?? []).array?.map(\.string), !uris.contains(nil) else {
            throw .invalidParams("'resourceSubscriptions' must be a list of texts.")
        }
        let wanted = Set(uris.compactMap { $0.map { Array($0.utf8) } })
        self.id = id
        self.pages = Array(pages.filter { wanted.contains(Array($0.agentURI.utf8)) }.prefix(Self.maximumPages))
    }

    func parts(of history: CommandHistory, since position: Int?) -> [HistoryStream.Part] {
        guard let position else {
            let uris = pages.map { Value.string($0.agentURI) }
            let filter: Value = uris.isEmpty ? [:] : ["resourceSubscriptions": .array(uris)]
            let bytes = notification("subscriptions/acknowledged", ["notifications": filter])
            return [HistoryStream.Part(bytes: bytes, sequence: history.sequence)]
        }
        // Every page may have changed if the history does not go back that far, or if the agent's session has begun again.
        let commands = position <= history.sequence ? history.since(position) : nil
        let changed = commands.map { Set($0.map(\.page)) }
        let updated = pages.filter { changed?.contains($0.name) ?? true }
        let bytes = updated.flatMap { notification("resources/updated", ["uri": .string($0.agentURI)]) }
        return [HistoryStream.Part(bytes: bytes, sequence: history.sequence)]
    }

    func last(_ problem: Response?) -> [UInt8] {
        guard let problem else { return event(["id": id, "result": ["resultType": "complete", "_meta": meta]]) }
        let detail = (try? JSONReader.read(problem.body))?["detail"] ?? "The subscription has failed."
        return event(["id": id, "error": ["code": -32603, "message": detail]])
    }

    private var meta: Value { ["io.modelcontextprotocol/subscriptionId": id] }

    private func notification(_ name: String, _ params: Value.Object) -> [UInt8] {
        var params = params
        params["_meta"] = meta
        return event(["method": .string("notifications/\(name)"), "params": .object(params)])
    }

    private func event(_ message: Value.Object) -> [UInt8] {
        var message = message
        message["jsonrpc"] = "2.0"
        return ServerSentEvent(name: "message", data: Value.object(message).json[...]).bytes
    }
}

extension Page {
    var agentURI: String { "understudy://page/\(name)" }
}
