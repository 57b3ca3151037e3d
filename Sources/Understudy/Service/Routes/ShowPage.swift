import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

extension UnderstudyService {
    /// `GET /PAGE`: what the screen shows, and the page's events. The query fills fields. Starts no session, and stores nothing.
    func show(_ page: Page, _ request: Request) async throws -> Response {
        let language = languages?[request.headers]
        let context = language?.context ?? context
        let description = pages.description(of: page)
        let link = LinkValues(request.query, of: page)
        func response(sequence: Int, shown: ResponseRecorder?) -> Response {
            let containsMessage = shown.map { $0.alert != nil || !$0.renderedMessages.isEmpty } ?? false
            var response = Response(
                status: 200,
                contentType: .json,
                common: containsMessage || !link.errors.isEmpty ? language?.headers : nil,
                body: description.json(sequence: sequence, shown: shown, link: link, context)
            )
            if link.containsSecret { response.headers.append(("Referrer-Policy", "no-referrer")) }
            return response
        }
        let credential = credential(of: request)
        let shown = try await withSession(of: credential) { session -> Response? in
            if hasDueUpdates(of: page, in: session), try await !runUpdates(of: page, in: session) { return nil }
            return response(sequence: session.history.sequence, shown: session.existingScreen(of: page)?.recorder)
        }
        return shown ?? response(sequence: 0, shown: nil)
    }
}
