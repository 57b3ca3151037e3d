import BusinessLogic
import HTTPMessages

extension HTMLPages {
    func screen(_ page: ShownPage, _ request: Request) async -> Response {
        if page.entered == nil, hasTemplate(page.name) { return rendered(page, request) }
        // The rows of a form can take longer than an event loop may be busy.
        return await Task.detached { rendered(page, request) }.value
    }

    private func rendered(_ page: ShownPage, _ request: Request) -> Response {
        let name = page.name
        let hasTemplate = hasTemplate(name)
        return html(hasTemplate ? name : "form", request) { context, language in
            let content = page.content.withoutPastErrors.inWords(of: language)
            let screen = Screen(content, language, page: name, action: "\(prefix)/\(name)", page.entered)
            if hasTemplate {
                context["forms"] = .computed { screen.forms.contexts }
                context["pageErrors"] = .texts(screen.otherErrors(unless: screen.hasField))
            } else {
                let forms = screen.forms
                context["forms"] = .json(forms.contexts)
                context["pageErrors"] = .texts(screen.otherErrors(unless: forms.paths.contains))
            }
            context["title"] = .text(language[.page(name)])
            context["page"] = .text(name)
            context["action"] = .text("\(prefix)/\(name)")
            context["sequence"] = .json(content["sequence"] ?? 0)
            context["rendered"] = .json(content["rendered"] ?? [:])
            context["values"] = .json(.object(screen.values))
            let own = page.entered == nil ? content["alert"]?["message"]?.string : nil
            let alerts = [page.alert, page.alert == own ? nil : own].compactMap { $0 }.filter { !$0.isEmpty }
            if !alerts.isEmpty { context["alert"] = .json(["message": .string(alerts.joined(separator: " "))]) }
            context["shown"] = .computed { screen.shownMessages }
            context["query"] = .computed { screen.queryValues }
            context["back"] = .text(page.back)
            context["errors"] = .json(screen.fieldErrors)
            context["formErrors"] = .computed { screen.formErrors }
            context["loadingEvent"] = .text(screen.loadingEvent)
            context["outputs"] = .computed { screen.outputs }
            if isDemo, name == "login" { context["demo"] = .json(true) }
            context["declaration"] = .text((hasInspector ? content : content.ofModule).json.escapedForScript)
            if let user = page.user { context["user"] = .json(["username": .string(user)]) }
            if name != "login" {
                // Any user may log in, also after the one for whom the page was made has logged out.
                context["requiredUser"] = .text(page.user?.queryEncoded)
                context["login"] = .text(served.path(of: "login"))
            }
            if page.isLoaded { context["loaded"] = .text(name) }
            context["choices"] = .text(screen.shown.choices)
            return screen.shown
        }
    }

    /// The link leads to `back`; to the start if that is `nil`.
    func page(of problem: Response, _ request: Request, back: String? = nil) -> Response {
        let content = problem.json ?? .null
        var response = html("problem", request) { context, language in
            context["title"] = .text(content["title"]?.string ?? language["problem.title"])
            context["status"] = .json(Value(problem.status))
            for name in ["detail", "code", "requestID"] { context[name] = .text(content[name]?.string) }
            let code = content["code"]?.string
            // In development, the detail of an internal error is its cause.
            let hasCause = code == "internal" && content["detail"] != nil
            if !hasCause, let words = code.flatMap({ language["message.\($0)"] }) {
                context["detail"] = .text(words)
                context["isTranslated"] = .json(true)
            }
            context["back"] = .text(back ?? "\(prefix)/")
            return nil
        }
        response.status = problem.status
        let kept: [HeaderName] = [.retryAfter, .allow, .setCookie, "WWW-Authenticate", "RateLimit", "RateLimit-Policy"]
        response.headers += problem.headers.filter { kept.contains($0.name) }
        return response
    }

    /// A page with what all pages have. `complete` adds what the template needs, and returns what the page shows if it is one of the service.
    func html(
        _ template: String,
        _ request: Request,
        _ complete: (inout [String: TemplateValue], Labels.Language) -> ShownOutputs?
    ) -> Response {
        let language = labels[request.headers]
        let files = content.files
        var context: [String: TemplateValue] = [:]
        context.reserveCapacity(64)
        context["text"] = language.names
        context["language"] = .text(language.tag)
        context["brand"] = .text(title)
        context["prefix"] = .text(prefix)
        context["script"] = .text(files[.script])
        context["style"] = .text(files[.style])
        // The documentation sends no events of pages.
        if template != "docs", hasInspector {
            context["inspector"] = .json([
                "script": Value(files[.inspector]), "style": Value(files[.inspectorStyle]),
                "session": .string(isDevelopment ? "\(prefix)/session/inspection" : ""),
            ])
            // Only a demonstration keeps its mails.
            context["mailbox"] = .text(served.path(of: "mailbox"))
        }
        context["key"] = .text(RequestID.next() + RequestID.next())
        context["controls"] = .text(files[.controls])
        context["passkeys"] = .text(files[.passkeys])
        context["lists"] = .text(files[.lists])
        context["passwordMinimum"] = .text(passwordMinimum.map { "\($0)" })
        context["servesAgents"] = .json(.boolean(servesAgents))
        context["logo"] = .text(files["logo.svg"] ?? files[.logo])
        context["assets"] = files.names
        context["isDocs"] = .json(.boolean(template == "docs"))
        context["logout"] = .text(served.path(of: "home"))
        for name in ["account", "forgot", "factors"] { context[name] = .text(served.path(of: name)) }
        let outputs = complete(&context, language)
        let current = context["page"]?.text
        let links = served.links.filter(\.isInNavigation).map { $0.context(language, current: current) }
        context["nav"] = .json(.array(links))
        do {
            return Response(
                status: 200,
                contentType: "text/html; charset=utf-8",
                headers: headers + [("Content-Language", language.tag)],
                body: try content.render(template, context, outputs)
            )
        } catch {
            return Response(status: 500, contentType: "text/plain; charset=utf-8", body: Array("\(error)\n".utf8))
        }
    }

    static func headers(_ imageOrigins: ImageOrigins) -> [HeaderField] {
        let images = (["'self'", "data:"] + imageOrigins.origins).joined(separator: " ")
        return [
            (.vary, "Accept, Accept-Language"),
            (
                "Content-Security-Policy",
                """
                default-src 'self'; img-src \(images); require-trusted-types-for 'script'; object-src 'none'; base-uri 'none'; \
                form-action 'self'; frame-ancestors 'none'
                """
            ), ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ]
    }
}

extension [UInt8] {
    /// JSON for a `<script>`: no text in it can end the element or begin a comment.
    fileprivate var escapedForScript: String {
        let json = String(decoding: self, as: UTF8.self)
        return contains(UInt8(ascii: "<")) ? json.replacingBytes("<", with: "\\u003c") : json
    }
}

extension Value {
    /// What a page shows. If its last event has led to another page, without the errors that events before have rendered: the person has corrected
    /// them.
    fileprivate var withoutPastErrors: Value {
        guard self["goToPage"]?.object != nil, let errors = self["errors"]?.array else { return self }
        var content = self
        var past: [Value] = []
        for (key, message) in self["messages"].members {
            guard let code = message["code"], errors.contains(where: { $0["code"] == code }) else { continue }
            past.append(code)
            content["rendered"]?[key] = .null
        }
        content["errors"] = .array(errors.filter { error in !past.contains { $0 == error["code"] } })
        return content
    }

    /// What a page shows, with the words for people instead of those of an article, which stay in the JSON of the service.
    fileprivate func inWords(of language: Labels.Language) -> Value {
        func inWords(_ message: Value) -> Value {
            guard let words = message["code"]?.string.flatMap({ language["message.\($0)"] }) else { return message }
            var message = message
            message["message"] = .string(words)
            return message
        }
        var content = self
        content["alert"] = content["alert"].map(inWords)
        content["errors"] = content["errors"]?.array.map { .array($0.map(inWords)) }
        return content
    }

    fileprivate var ofModule: Value {
        var content = self
        func change(_ name: String, _ part: (Value) -> Value) {
            content[name] = .array(content[name].elements.map(part))
        }
        content["fields"] = nil
        // Values that are no text for a person: which event `passkeys.js` may send without a person.
        let plain = content["outputs"].elements.filter { $0["kind"] != "any" }.map { $0["key"] ?? .null }
        change("events") { event in
            var event = event
            event["default"] = nil
            let others = (event["gives"]?["renders"]).elements.filter { !plain.contains($0) }
            event["gives"] = others.isEmpty ? nil : ["renders": .array(others)]
            return event
        }
        // Others are shown as they are.
        let formatted = content["outputs"].elements.filter { output in
            ["format", "items", "properties"].contains { output["schema"]?[$0] != nil }
        }
        content["outputs"] = .array(formatted.map { ["key": $0["key"] ?? "", "schema": $0["schema"] ?? [:]] })
        change("updates") { ["gives": ["messages": $0["gives"]?["messages"] ?? []]] }
        return content
    }
}
