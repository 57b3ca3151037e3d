import BusinessLogic
import HTTPMessages

extension HTMLPages {
    /// How many pages an event can go to, one after the other.
    private static let maximumDestinations = 5

    /// Runs the event of a form, and those that show the pages it goes to. The browser then opens the last page.
    func submit(_ form: BrowserForm, _ request: Request, _ service: (Request) async -> Response) async -> Response {
        var cookies = BrowserCookies(request)
        if form.rowChange != nil {
            if let page = await showAgain(form, nil, cookies, request, service) { return page }
            // The service does not know such a field.
            return await page(of: service(request.part()), request, service)
        }
        var response = await service(part(of: request, form, key: form.key, cookies))
        if response.isProblem, response.json?["code"] == "idempotencyKeyReused" {
            // The person went back, and has changed the form: this is another event.
            response = await service(part(of: request, form, key: nil, cookies))
        }
        cookies.add(response)
        if response.status == 422, let page = await showAgain(form, response, cookies, request, service) { return page }
        guard response.status == 200, let answer = response.json, answer["commands"] != nil else {
            return response.isProblem ? await page(of: response, request, service) : response
        }
        var path = String(request.path)
        var next = Destination(in: answer)
        var visited: Set<String> = []
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
        }
        return seeOther(path, cookies)
    }

    /// The page of a form with what the person has entered; `nil` if it cannot show what is wrong.
    ///
    /// - Parameter problem: the problem with the values; `nil` if only a row changes.
    private func showAgain(
        _ form: BrowserForm,
        _ problem: Response?,
        _ cookies: BrowserCookies,
        _ request: Request,
        _ service: (Request) async -> Response
    ) async -> Response? {
        let reading = request.part(
            .get,
            String(request.path),
            replacing: [("Cookie", cookies.header), (.contentType, ""), ("Content-Length", "")],
            body: []
        )
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
            ShownAgain(entered: EnteredValues(submission, on: content, form.rowChange), problem: problem?.json)
        )
        response.status = problem?.status ?? 200
        response.headers += cookies.changes.map { (.setCookie, $0) }
        return response
    }

    private func part(of request: Request, _ form: BrowserForm, key: String?, _ cookies: BrowserCookies) -> Request {
        request.part(
            replacing: [("Cookie", cookies.header), ("Idempotency-Key", key ?? ""), ("Content-Length", "")],
            body: form.body
        )
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
