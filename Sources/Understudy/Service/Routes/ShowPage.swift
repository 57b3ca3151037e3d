import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

extension UnderstudyService {
    /// `GET /PAGE`: what the screen shows, and the page's events. Starts no session.
    func show(_ page: Page, _ request: Request) async throws -> Response {
        let language = languages?[request.headers]
        let context = language?.context ?? context
        let description = pages.description(of: page)
        let credential = SessionCredential(request, cookieName: configuration.cookieName)
        let response = try await withSession(of: credential) { session -> Response? in
            if hasDueUpdates(of: page, in: session), try await !runUpdates(of: page, in: session) { return nil }
            let shown = session.existingScreen(of: page)?.recorder
            let json = description.json(sequence: session.history.sequence, shown: shown, context)
            let containsMessage = shown.map { $0.alert != nil || !$0.renderedMessages.isEmpty } ?? false
            return Response(
                status: 200,
                contentType: .json,
                common: containsMessage ? language?.headers : nil,
                body: json
            )
        }
        return response
            ?? Response(status: 200, contentType: .json, body: description.json(sequence: 0, shown: nil, context))
    }
}
