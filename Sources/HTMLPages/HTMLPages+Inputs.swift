import BusinessLogic
import HTTPMessages
import Understudy

extension HTMLPages {
    /// Sends the safe events that read those fields of a form that the form's event does not read, in the order of the page's table. Without
    /// it, the page would show a value that its controller does not know.
    ///
    /// Only an event whose fields are all in the form is sent, and only if the session has other values of these fields.
    ///
    /// - Returns: the response to the browser if the service rejects one of the events; otherwise `nil`.
    func sendInputs(
        of form: BrowserForm,
        _ cookies: inout BrowserCookies,
        _ request: Request,
        _ service: Service
    ) async -> Response? {
        guard let submission = form.submission, !submission.values.isEmpty,
            let content = await service(reading(request, cookies)).json, let events = content["events"]?.array,
            let event = events.first(where: { $0.isEvent(submission.event?.name) })
        else { return nil }
        let reads = event["reads"]?.array ?? []
        let texts = FormTextsByField(submission.values)
        for (index, input) in events.enumerated() where input["safe"] == true && input != event {
            let names = (input["reads"]?.array ?? []).compactMap(\.string)
            let isNews = names.contains { name in
                !reads.contains(.string(name)) && !texts.isEqual(name, content["values"]?[name])
            }
            guard isNews, names.allSatisfy(texts.contains) else { continue }
            let body = texts.body(event: input["event"]?.string ?? "", names)
            let key = form.key.map { "\($0.prefix(240)).input\(index)" }
            let response = await send(body, of: form, request, key: key, cookies, service)
            if let login = await login(after: response, to: form, request, service) { return login }
            cookies.add(response)
            if response.status == 200 { continue }
            if response.status == 422, let shown = await showAgain(form, response, cookies, request, service) {
                return shown
            }
            return pageLeadingBack(from: response, request)
        }
        return nil
    }

    /// The request for what the page of a form shows.
    func reading(_ request: Request, _ cookies: BrowserCookies) -> Request {
        request.part(
            .get,
            String(request.path),
            replacing: [("Cookie", cookies.header), (.contentType, ""), ("Content-Length", "")],
            body: []
        )
    }

    /// Sends an event of a form to the service, which also shows the page that the event leads to.
    func send(
        _ body: [UInt8],
        of form: BrowserForm,
        _ request: Request,
        key: String?,
        _ cookies: BrowserCookies,
        _ service: Service
    ) async -> Response {
        let user = requiredUser(of: form, request)?.queryEncoded ?? ""
        func part(_ key: String?) -> Request {
            request.part(
                replacing: [
                    ("Cookie", cookies.header), ("Idempotency-Key", key ?? ""), ("Content-Length", ""),
                    ("Prefer", "return=representation"), ("Session-User", user),
                ],
                body: body
            )
        }
        let response = await service(part(key))
        // The person went back, and has changed the form: this is another event.
        guard response.isProblem, response.json?["code"] == "idempotencyKeyReused" else { return response }
        return await service(part(nil))
    }
}

/// The texts of a form or a query, by the field whose value they are.
struct FormTextsByField {
    private var texts: [String: [(name: String, text: String)]] = [:]

    init(_ values: Value.Object) {
        for (name, value) in values where !name.isLonger(than: 256) {
            let field = String(Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") }))
            for text in value.array?.compactMap(\.string) ?? value.string.map({ [$0] }) ?? [] {
                texts[field, default: []].append((name, text))
            }
        }
    }

    /// Whether there is a text of the field.
    func contains(_ field: String) -> Bool { texts[field] != nil }

    /// Whether the field has these texts, or no text.
    func isEqual(_ field: String, _ value: Value?) -> Bool {
        guard let own = texts[field] else { return true }
        guard let value else { return false }
        let others = ([field: value] as Value.Object).formFields
        return own.count == others.count
            && zip(own, others).allSatisfy { $0.name.hasSameBytes(as: $1.name) && $0.text.hasSameBytes(as: $1.text) }
    }

    /// The fields as a query.
    func query(_ fields: some Sequence<String>) -> String {
        fields.flatMap { texts[$0] ?? [] }.map { "\($0.name.queryEncoded)=\($0.text.queryEncoded)" }
            .joined(separator: "&")
    }

    /// A form that sends an event with the fields.
    func body(event: String, _ fields: [String]) -> [UInt8] {
        Array("event=\(event.queryEncoded)&\(query(fields))".utf8)
    }
}

extension String {
    /// Percent-encoded for a form or a query.
    var queryEncoded: String { percentEncoded(unless: \.isUnreservedInURI) }
}

extension Value {
    /// Whether an element of `events` is the event with that name, or the default event if `nil`.
    fileprivate func isEvent(_ name: String?) -> Bool {
        name.map { self["event"]?.string == $0 } ?? (self["default"] == true)
    }
}
