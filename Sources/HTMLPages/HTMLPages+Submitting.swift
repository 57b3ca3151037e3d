import BusinessLogic
import HTTPMessages

extension HTMLPages {
    /// How many pages an event can go to, one after the other.
    static let maximumDestinations = 5

    /// Runs the event of a form, and those that show the pages it goes to. The browser then opens the last page.
    func submit(_ form: BrowserForm, _ request: Request, _ service: (Request) async -> Response) async -> Response {
        var cookies = BrowserCookies(request)
        if form.rowChange != nil {
            if let page = await showAgain(form, nil, cookies, request, service) { return page }
            // The service does not know such a field.
            return pageLeadingBack(from: await service(request.part()), request)
        }
        if let login = await loginInstead(of: form, request, service) { return login }
        if let rejection = await sendInputs(of: form, &cookies, request, service) { return rejection }
        let response = await send(form.body, to: request, key: form.key, cookies, service)
        cookies.add(response)
        if response.status == 422, let page = await showAgain(form, response, cookies, request, service) { return page }
        guard response.status == 200, let answer = response.json, answer["commands"] != nil else {
            return response.isProblem ? pageLeadingBack(from: response, request) : response
        }
        var path = String(request.path)
        var next = Destination(in: answer)
        var visited: Set<String> = []
        var alerts = next == nil ? [] : answer.alertSequences
        let back = checkedBack(form.back)
        let hasLoggedIn = await hasLoggedIn(with: response, cookies, request, service)
        if let back, next != nil, hasLoggedIn { next = Destination(path: String(back.prefix { $0 != "?" })) }
        while let destination = next, visited.count < Self.maximumDestinations,
            visited.insert(destination.path).inserted
        {
            path = destination.path
            let page = await service(request.part(.get, path, replacing: [("Cookie", cookies.header)]))
            guard let page = page.json, destination.canBeShown(by: page) else { break }
            let key = form.key.map { "\($0.prefix(240)).\(visited.count)" }
            let shown = await service(part(of: request, destination, key: key, cookies))
            cookies.add(shown)
            next = shown.status == 200 ? shown.json.flatMap(Destination.init(in:)) : nil
            if next != nil { alerts += shown.json?.alertSequences ?? [] }
        }
        if !alerts.isEmpty { cookies.store(alertCookie(alerts)) }
        if let back {
            if path == request.path { return seeOther("\(path)?_back=\(back.queryEncoded)", cookies) }
            if hasLoggedIn, back.hasPrefix("\(path)?") { return seeOther(back, cookies) }
        }
        return seeOther(path, cookies)
    }

    /// Whether the event with that response has logged a user in: it changes the session's ID.
    private func hasLoggedIn(
        with response: Response,
        _ cookies: BrowserCookies,
        _ request: Request,
        _ service: (Request) async -> Response
    ) async -> Bool {
        guard response.fields.contains(where: { $0.name == .setCookie }) else { return false }
        return await user(of: reading(request, cookies), service) != nil
    }

    /// The page of a form with what the person has entered; `nil` if it cannot show what is wrong.
    ///
    /// - Parameter problem: the problem with the values; `nil` if only a row changes.
    func showAgain(
        _ form: BrowserForm,
        _ problem: Response?,
        _ cookies: BrowserCookies,
        _ request: Request,
        _ service: (Request) async -> Response
    ) async -> Response? {
        let reading = reading(request, cookies)
        if problem != nil, problem?.json?["errors"] == nil { return nil }
        let page = await service(reading)
        guard page.status == 200, let content = page.json, content["events"] != nil, let submission = form.submission,
            let name = content["page"]?.string, reportsErrors(name)
        else { return nil }
        var response = await screen(
            name,
            content,
            user: await user(of: reading, service),
            request,
            back: checkedBack(form.back),
            ShownAgain(entered: EnteredValues(submission, on: content, form.rowChange), problem: problem?.json)
        )
        response.status = problem?.status ?? 200
        response.headers += cookies.changes.map { (.setCookie, $0) }
        return response
    }

    /// The default event of a destination, which shows it.
    private func part(
        of request: Request,
        _ destination: Destination,
        key: String?,
        _ cookies: BrowserCookies
    ) -> Request {
        request.part(
            .post,
            destination.path,
            replacing: [
                ("Cookie", cookies.header), ("Idempotency-Key", key ?? ""), ("Content-Length", ""),
                (.contentType, "application/json"),
            ],
            body: Value.object(["values": .object(destination.values)]).json
        )
    }

    private func seeOther(_ path: String, _ cookies: BrowserCookies) -> Response {
        Response(
            status: 303,
            headers: [("Location", path), (.vary, "Accept")] + cookies.changes.map { (.setCookie, $0) }
        )
    }
}

/// The page of the service that the last command of an event goes to.
private struct Destination {
    let path: String
    let values: Value.Object

    init(path: String) {
        self.path = path
        values = [:]
    }

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
    func canBeShown(by page: Value) -> Bool {
        let event = page["events"]?.array?.first { $0["default"] == true }
        return (event?["reads"]?.array ?? []).allSatisfy { read in read.string.map { values[$0] != nil } ?? false }
    }
}

extension Response {
    /// The body as JSON; `nil` if it is something else.
    var json: Value? { isJSON || isProblem ? try? JSONReader.read(body) : nil }
}

extension Value {
    /// The numbers of the alerts in a response to an event.
    fileprivate var alertSequences: [Int] {
        (self["commands"]?.array ?? []).filter { $0["command"] == "showAlert" }
            .compactMap { $0["sequence"].flatMap { Int("\($0)") } }
    }
}
