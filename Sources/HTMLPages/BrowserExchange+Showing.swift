import BusinessLogic
import HTTPMessages
import Understudy

extension BrowserExchange {
    /// Responds to GET and HEAD. What is neither a page nor a problem stays as it is.
    mutating func show() async -> Response {
        let path = request.path.dropFirst(pages.prefix.count)
        if pages.isDocs(request.path) { return await showDocs() }
        var response = await service(request.part())
        if response.status == 401, request.headers.first(.cookie) != nil {
            // A person who has missed the response to a login has a cookie that is not valid any more: the page begins a new session.
            request = request.part(accepting: "text/html", replacing: [(.cookie, "")])
            cookies = BrowserCookies(request)
            response = await service(request.part())
        }
        if response.isProblem { return pages.page(of: response, request) }
        guard response.status == 200, let content = response.json else { return response }
        if content["pages"] != nil, path == "/" || path.isEmpty { return index(content, user: await user(of: request)) }
        guard content["events"] != nil, let name = content["page"]?.string else { return response }
        var shown = await showPage(name, content)
        if let policy = response.header("Referrer-Policy") {
            shown.headers.removeAll { $0.name == "Referrer-Policy" }
            shown.headers.append(("Referrer-Policy", policy))
        }
        return shown
    }

    /// The page is rendered once for each language.
    private func showDocs() async -> Response {
        // The whole document without compression, whatever the browser has of the page.
        let whole: [HeaderField] = [("Accept-Encoding", ""), ("If-None-Match", "")]
        let document = await service(request.part(.get, "\(pages.prefix)/openapi.json", replacing: whole))
        guard document.status == 200 else { return document.isProblem ? pages.page(of: document, request) : document }
        do {
            let language = pages.labels[request.headers].tag
            return try await pages.renderedDocs.content(language, from: document.body) { [pages, request] in
                let page = pages.docs(document.json ?? .null, request)
                return try StaticContent(page.body, "text/html; charset=utf-8", headers: page.headers)
            }.response(to: request)
        } catch {
            // Without memory for zlib.
            return pages.page(of: Response(status: 500), request)
        }
    }

    /// A page of the service, after the event that loads it with the values of a link.
    private mutating func showPage(_ name: String, _ content: Value) async -> Response {
        let user = await user(of: request)
        // What a user has can change elsewhere, and a browser without JavaScript cannot ask for it.
        let link = BrowserLink(request.query, content, hasUser: user != nil)
        let isGet = request.method == .get
        var shown = ShownPage(name: name, content: content, user: user, back: pages.checkedBack(link.back))
        var failure: Response?
        shown.alert = isGet ? await pendingAlert() : nil
        if shown.alert != nil { cookies.store(pages.alertCookie([])) }
        if isGet, let load = link.loadingRequest(request) {
            // The event that loads the page replaces the alert of the event before, which a link to something else does not repeat.
            if !link.hasFields { shown.alert = shown.alert ?? content["alert"]?["message"]?.string }
            let loaded = await service(load)
            // The module tries again what has failed.
            shown.isLoaded = loaded.status == 200
            if loaded.isProblem {
                failure = loaded
                shown.alert = [shown.alert, loaded.json?["title"]?.string].compactMap(\.self).joined(separator: " ")
            }
            cookies.add(loaded)
            if let path = loaded.json?["commands"]?.array?.last?["href"]?.string {
                return seeOther(user == nil ? way(to: path, from: name, link) : path)
            }
            request = request.part(accepting: "text/html", replacing: [(.cookie, cookies.header)])
            shown.content = await service(request.part()).json ?? content
        }
        shown.entered = link.rejected
        var page = await pages.screen(shown, request)
        page.headers += cookies.changes.map { (.setCookie, $0) }
        if let failure {
            page.status = failure.status
            page.headers += failure.headers.filter { $0.name == .retryAfter }
        }
        return page
    }

    /// The path to which the event leads that loads a page without a user: if it is that of the login, with the way back to the page.
    private func way(to path: String, from page: String, _ link: BrowserLink) -> String {
        guard path == pages.served.path(of: "login") else { return path }
        // No page of a login that has begun is a way back.
        let own = page == "secondFactor" ? nil : "\(request.path)\(request.query.map { "?\($0)" } ?? "")"
        return pages.checkedBack(link.back ?? own).flatMap { pages.target(path, back: $0) } ?? path
    }

    /// The start of the application: a redirection to its login, or to the home page of a user; a list of its pages if it has neither.
    private func index(_ content: Value, user: String?) -> Response {
        let links = Link.all(in: content)
        let start = user != nil && links.contains { $0.name == "home" } ? "home" : "login"
        if let link = links.first(where: { $0.name == start }) {
            return Response(status: 303, headers: [("Location", link.href), (.vary, "Accept")])
        }
        return pages.html("index", request) { context, language in
            context["title"] = .text(content["title"]?.string)
            context["pages"] = .json(.array(links.map { $0.context(language) }))
            return nil
        }
    }
}
