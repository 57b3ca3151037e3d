import BusinessLogic
import HTTPMessages
import Understudy

extension HTMLPages {
    /// Responds to GET and HEAD. What is neither a page nor a problem stays as it is.
    func show(_ request: Request, _ service: Service) async -> Response {
        let path = request.path.dropFirst(prefix.count)
        if path == "/docs" { return await showDocs(request, service) }
        var request = request
        var response = await service(request.part())
        if response.status == 401, request.headers.first(.cookie) != nil {
            // A person who has missed the response to a login has a cookie that is not valid any more: the page begins a new session.
            request = request.part(accepting: "text/html", replacing: [(.cookie, "")])
            response = await service(request.part())
        }
        if response.isProblem { return page(of: response, request) }
        guard response.status == 200, let content = response.json else { return response }
        if content["pages"] != nil, path == "/" || path.isEmpty {
            return index(content, user: await user(of: request, service), request)
        }
        guard content["events"] != nil, let name = content["page"]?.string else { return response }
        var shown = await showPage(name, content, request, service)
        if let policy = response.header("Referrer-Policy") {
            shown.headers.removeAll { $0.name == "Referrer-Policy" }
            shown.headers.append(("Referrer-Policy", policy))
        }
        return shown
    }

    /// The OpenAPI document as a page, which is rendered once for each language.
    private func showDocs(_ request: Request, _ service: Service) async -> Response {
        // The whole document without compression, whatever the browser has of the page.
        let whole: [(name: HeaderName, value: String)] = [("Accept-Encoding", ""), ("If-None-Match", "")]
        let document = await service(request.part(.get, "\(prefix)/openapi.json", replacing: whole))
        guard document.status == 200 else { return document.problemOr { page(of: $0, request) } }
        do {
            return try await renderedDocs.content(labels[request.headers].tag, from: document.body) {
                let page = docs(document.json ?? .null, request)
                return try StaticContent(page.body, "text/html; charset=utf-8", headers: page.headers)
            }.response(to: request)
        } catch {
            // Without memory for zlib.
            return page(of: Response(status: 500), request)
        }
    }

    /// A page of the service, after the event that loads it with the values of a link.
    ///
    /// - Parameter content: what `GET /PAGE` returns.
    private func showPage(_ name: String, _ content: Value, _ request: Request, _ service: Service) async -> Response {
        var (request, content) = (request, content)
        let user = await user(of: request, service)
        // What a user has can change elsewhere, and a browser without JavaScript cannot ask for it.
        let link = BrowserLink(request.query, content, loadsWithoutFields: user != nil)
        let back = checkedBack(link.back)
        var cookies = BrowserCookies(request)
        let load = request.method == .get ? link.loadingRequest(request) : nil
        var alert = request.method == .get ? await pendingAlert(request, service) : nil
        var isLoaded = false
        if alert != nil { cookies.store(alertCookie([])) }
        if let load {
            // The event that loads the page replaces the alert of the event before, which a link to something else does not repeat.
            if !link.hasFields { alert = alert ?? content["alert"]?["message"]?.string }
            let loaded = await service(load)
            // The module tries again what has failed.
            isLoaded = loaded.status == 200
            cookies.add(loaded)
            if let path = loaded.json?["commands"]?.array?.last?["href"]?.string { return seeOther(path, cookies) }
            request = request.part(accepting: "text/html", replacing: [(.cookie, cookies.header)])
            content = await service(request.part()).json ?? content
        }
        var shown = ShownPage(
            name: name,
            content: content,
            user: user,
            back: back,
            alert: alert
        )
        shown.states = await states(on: name, request, service)
        shown.isLoaded = isLoaded
        shown.shownAgain = link.rejected
        var page = await screen(shown, request)
        page.headers += cookies.changes.map { (.setCookie, $0) }
        return page
    }

    /// What the session has entered on other pages, which the home page shows, by the names of the outputs; `nil` for other pages.
    private func states(on name: String, _ request: Request, _ service: Service) async -> Value? {
        guard name == "home" else { return nil }
        var states: Value.Object = [:]
        for (page, output) in [("register", "userID"), ("email", "email")] {
            guard let path = served.path(of: page) else { continue }
            states[output] = await service(request.part(.get, path)).json?["rendered"]?[output]
        }
        return .object(states)
    }

    /// The name of the request's user; `nil` without one.
    func user(of request: Request, _ service: Service) async -> String? {
        // Without a session, there is no user to ask for.
        guard request.headers.first(.cookie) != nil || request.headers.first(.authorization) != nil else { return nil }
        let session = await service(request.part(.get, "\(prefix)/session"))
        return session.status == 200 ? session.json?["user"]?["username"]?.string : nil
    }

    /// The start of the application: a redirection to its login, or to the home page of a user; a list of its pages if it has neither.
    private func index(_ content: Value, user: String?, _ request: Request) -> Response {
        let links = Link.all(in: content)
        let start = user != nil && links.contains { $0.name == "home" } ? "home" : "login"
        if let link = links.first(where: { $0.name == start }) {
            return Response(status: 303, headers: [("Location", link.href), (.vary, "Accept")])
        }
        return html("index", request) { context, language in
            context["title"] = .text(content["title"]?.string)
            context["pages"] = .json(.array(links.map { $0.context(language) }))
        }
    }
}
