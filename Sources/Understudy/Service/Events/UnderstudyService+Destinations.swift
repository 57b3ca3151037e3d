import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// Where an event leads: the member `next` of the response to a client that prefers `return=representation`.
extension UnderstudyService {
    /// How many pages an event can go to, one after the other.
    private static var maximumDestinations: Int { 5 }

    /// Runs the default events of the pages that an event goes to, as if the client had posted them, and adds the last page to the
    /// response. Each of them is an event of its own: if it fails, the client opens its page without it.
    func addNext(to response: inout Response, of event: PostedEvent) async {
        guard var answer = (try? JSONReader.read(response.body))?.object,
            var destination = Destination(in: .object(answer))
        else { return }
        var cookies = BrowserCookies(event.request)
        cookies.add(response)
        var next: Value.Object = [:]
        var visited: Set<String> = []
        while visited.count < Self.maximumDestinations, let page = pages[path: destination.path],
            visited.insert(destination.path).inserted
        {
            next = ["page": .string(page.name), "href": .string(destination.path)]
            guard destination.canBeShown(by: page) else { break }
            var fields: [HeaderField] = [
                ("Cookie", cookies.header), (.contentType, "application/json"), ("Content-Length", ""),
                ("Prefer", "return=representation"), ("Last-Event-ID", ""), ("Session-User", ""),
                ("Idempotency-Key", event.key.map { "\($0.prefix(240)).\(visited.count)" } ?? ""),
            ]
            if let token = answer["token"]?.string { fields.append(("Authorization", "Bearer \(token)")) }
            let body = Value.object(["values": .object(destination.values)]).json
            let request = event.request.part(.post, destination.path, replacing: fields, body: body)
            let shown = await post(request, to: page, after: event)
            guard shown.status == 200, let content = try? JSONReader.read(shown.body) else { break }
            cookies.add(shown)
            if let token = content["token"] { answer["token"] = token }
            // The response is about all of these events, so that the client does not request their commands.
            answer["sequence"] = content["sequence"]
            next["rendered"] = content["rendered"]
            guard let following = Destination(in: content) else { break }
            destination = following
        }
        guard !next.isEmpty else { return }
        answer["next"] = .object(next)
        response.body = Value.object(answer).json
        response.headers.removeAll { $0.name == .setCookie }
        response.headers += cookies.changes.map { (.setCookie, $0) }
    }

    private func post(_ request: Request, to page: Page, after event: PostedEvent) async -> Response {
        var record = RequestRecord()
        do {
            let following = try postedEvent(request, to: page)
            following.precedingStream = event.stream
            return try await run(following, &record)
        } catch {
            return problemResponse(to: error, of: request, &record)
        }
    }
}

private struct Destination {
    let path: String
    let values: Value.Object

    /// Returns `nil` if the response contains none.
    init?(in answer: Value) {
        guard let commands = answer["commands"]?.array,
            let command = commands.last(where: { $0["command"] == "goToPage" }), let path = command["href"]?.string
        else { return nil }
        self.path = path
        values = command["values"]?.object ?? [:]
    }

    /// Whether the command has all values that the page's default event reads. Otherwise, the event could use kept values: a second
    /// visit to a form would send it.
    func canBeShown(by page: Page) -> Bool { page.defaultEvent.reads.allSatisfy { values[$0.name] != nil } }
}
