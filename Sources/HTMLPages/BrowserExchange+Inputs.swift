import BusinessLogic
import HTTPMessages
import Understudy

extension BrowserExchange {
    /// Sends the safe events that read those fields of a form that the form's event does not read, in the order of the page's table. Without
    /// it, the page would show a value that its controller does not know.
    ///
    /// Only an event whose fields are all in the form is sent, and only if the session has other values of these fields.
    ///
    /// - Returns: the response to the browser if the service rejects one of the events; otherwise `nil`.
    mutating func sendInputs(of form: BrowserForm) async -> Response? {
        guard let submission = form.submission, !submission.values.isEmpty,
            let content = await service(reading).json, let events = content["events"]?.array,
            let event = events.first(where: { $0.isEvent(submission.event?.name) })
        else { return nil }
        let reads = event["reads"].elements
        let texts = FormTexts(submission.values)
        for (index, input) in events.enumerated() where input["safe"] == true && input != event {
            let names = input["reads"].elements.compactMap(\.string)
            let isNews = names.contains { name in
                !reads.contains(.string(name)) && !texts.isEqual(name, content["values"]?[name])
            }
            guard isNews, names.allSatisfy(texts.contains) else { continue }
            let body = texts.body(event: input["event"]?.string ?? "", names)
            let key = form.key.map { "\($0.prefix(240)).input\(index)" }
            let response = await send(body, of: form, key: key)
            if let instead = await rejection(of: form, response) { return instead }
            if response.status != 200 { return page(of: response) }
        }
        return nil
    }

    /// The service also shows the page that the event leads to.
    func send(_ body: [UInt8], of form: BrowserForm, key: String?) async -> Response {
        let part = request.part(
            replacing: [
                ("Cookie", cookies.header), ("Idempotency-Key", key ?? ""), ("Content-Length", ""),
                ("Prefer", "return=representation"), ("Session-User", requiredUser(of: form)?.queryEncoded ?? ""),
            ],
            body: body
        )
        return await service(part)
    }

    /// What to show instead of the response to an event of a form: the way to the login, or the form with what is wrong; `nil` for the
    /// response itself, whose cookies are then stored.
    mutating func rejection(of form: BrowserForm, _ response: Response) async -> Response? {
        if let login = await login(after: response, to: form) { return login }
        cookies.add(response)
        return response.status == 422 ? await showAgain(form, response) : nil
    }
}

extension String {
    /// Percent-encoded for a form, or as a part of a path or a query.
    var queryEncoded: String { percentEncoded(unless: \.isUnreservedInURI) }
}

extension Value {
    /// Whether an element of `events` is that event, or the default event if `nil`.
    fileprivate func isEvent(_ name: String?) -> Bool {
        name.map { self["event"]?.string == $0 } ?? (self["default"] == true)
    }
}
