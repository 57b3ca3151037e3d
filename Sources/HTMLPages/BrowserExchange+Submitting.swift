import BusinessLogic
import HTTPMessages

extension BrowserExchange {
    /// Runs the event of a form, and those that show the pages it goes to. The browser then opens the last page.
    mutating func submit(_ form: BrowserForm) async -> Response {
        if form.rowChange != nil {
            if let page = await showAgain(form, nil) { return page }
            // The service does not know such a field.
            return page(of: await service(request.part()))
        }
        if let rejection = await sendInputs(of: form) { return rejection }
        let response = await send(form.body, of: form, key: form.key)
        if let rejection = await rejection(of: form, response) { return rejection }
        guard response.status == 200, let answer = response.json, answer["commands"] != nil else {
            return page(of: response)
        }
        var path = answer["next"]?["href"]?.string
        let alerts = path == nil ? [] : answer.alertSequences
        if !alerts.isEmpty { cookies.store(pages.alertCookie(alerts)) }
        if let back = pages.checkedBack(form.back) {
            if path == nil {
                path = pages.target(String(request.path), back: back)
            } else {
                path = await hasLoggedIn(with: response) ? back : path.map { pages.target($0, back: back) ?? $0 }
            }
        }
        return seeOther(path ?? String(request.path))
    }

    /// A login changes the session's ID.
    private func hasLoggedIn(with response: Response) async -> Bool {
        guard response.fields.contains(where: { $0.name == .setCookie }) else { return false }
        return await user(of: reading) != nil
    }

    /// `nil` if the page cannot show what is wrong. The problem is that of the values; `nil` if only a row changes.
    func showAgain(_ form: BrowserForm, _ problem: Response?) async -> Response? {
        if let problem = problem?.json, problem["errors"] == nil, !problem.isKeyReused { return nil }
        let page = await service(reading)
        guard page.status == 200, let content = page.json, content["events"] != nil, let submission = form.submission,
            let name = content["page"]?.string, pages.reportsErrors(name)
        else { return nil }
        var entered = EnteredValues(submission, on: content, form.rowChange)
        entered.problem = problem?.json
        var shown = ShownPage(name: name, content: content, user: await user(of: reading))
        shown.back = pages.checkedBack(form.back)
        shown.entered = entered
        var response = await pages.screen(shown, request)
        response.status = problem?.status ?? 200
        response.headers += cookies.changes.map { (.setCookie, $0) }
        return response
    }
}

extension Response {
    /// `nil` if the body is no JSON.
    var json: Value? { isJSON || isProblem ? try? JSONReader.read(body) : nil }
}

extension Value {
    /// The form was sent before, with other values: the person went back, or pressed a button twice.
    var isKeyReused: Bool { self["code"] == "idempotencyKeyReused" }

    fileprivate var alertSequences: [Int] {
        self["commands"].elements.filter { $0["command"] == "showAlert" }
            .compactMap { $0["sequence"].flatMap { Int("\($0)") } }
    }
}
