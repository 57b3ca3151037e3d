import BusinessLogic
import HTTPMessages

extension HTMLPages {
    /// Runs the event of a form, and those that show the pages it goes to. The browser then opens the last page.
    func submit(_ form: BrowserForm, _ request: Request, _ service: Service) async -> Response {
        var cookies = BrowserCookies(request)
        if form.rowChange != nil {
            if let page = await showAgain(form, nil, cookies, request, service) { return page }
            // The service does not know such a field.
            return pageLeadingBack(from: await service(request.part()), request)
        }
        if let rejection = await sendInputs(of: form, &cookies, request, service) { return rejection }
        let response = await send(form.body, of: form, request, key: form.key, cookies, service)
        if let login = await login(after: response, to: form, request, service) { return login }
        cookies.add(response)
        if response.status == 422, let page = await showAgain(form, response, cookies, request, service) { return page }
        guard response.status == 200, let answer = response.json, answer["commands"] != nil else {
            return response.isProblem ? pageLeadingBack(from: response, request) : response
        }
        var path = answer["next"]?["href"]?.string
        let alerts = path == nil ? [] : answer.alertSequences
        if !alerts.isEmpty { cookies.store(alertCookie(alerts)) }
        if let back = checkedBack(form.back) {
            if path == nil {
                path = "\(request.path)?_back=\(back.queryEncoded)"
            } else if await hasLoggedIn(with: response, cookies, request, service) {
                path = back
            }
        }
        return seeOther(path ?? String(request.path), cookies)
    }

    /// Whether the event with that response has logged a user in: it changes the session's ID.
    private func hasLoggedIn(
        with response: Response,
        _ cookies: BrowserCookies,
        _ request: Request,
        _ service: Service
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
        _ service: Service
    ) async -> Response? {
        let reading = reading(request, cookies)
        if problem != nil, problem?.json?["errors"] == nil { return nil }
        let page = await service(reading)
        guard page.status == 200, let content = page.json, content["events"] != nil, let submission = form.submission,
            let name = content["page"]?.string, reportsErrors(name)
        else { return nil }
        let entered = EnteredValues(submission, on: content, form.rowChange)
        var shown = ShownPage(name: name, content: content, user: await user(of: reading, service))
        shown.back = checkedBack(form.back)
        shown.shownAgain = ShownAgain(entered: entered, problem: problem?.json)
        var response = await screen(shown, request)
        response.status = problem?.status ?? 200
        response.headers += cookies.changes.map { (.setCookie, $0) }
        return response
    }

    func seeOther(_ path: String, _ cookies: BrowserCookies) -> Response {
        Response(
            status: 303,
            headers: [("Location", path), (.vary, "Accept")] + cookies.changes.map { (.setCookie, $0) }
        )
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
