import BusinessLogic
import HTTPMessages
import Mustache

extension HTMLPages {
    /// A page of the service.
    func screen(_ page: ShownPage, _ request: Request) async -> Response {
        if page.shownAgain == nil, hasTemplate(page.name) { return rendered(page, request) }
        // The rows of a form can take longer than an event loop may be busy.
        return await Task.detached { rendered(page, request) }.value
    }

    private func rendered(_ page: ShownPage, _ request: Request) -> Response {
        let (name, content, shownAgain) = (page.name, page.content, page.shownAgain)
        return html(hasTemplate(name) ? name : "form", request) { context, language in
            let screen = Screen(content, language, action: "\(prefix)/\(name)", shownAgain)
            let forms = screen.forms
            let otherErrors = screen.otherErrors { hasTemplate(name) ? screen.hasField($0) : forms.paths.contains($0) }
            context["title"] = language[.page(name)]
            context["page"] = name
            context["action"] = "\(prefix)/\(name)"
            context["sequence"] = content["sequence"]?.context ?? 0
            context["rendered"] = content["rendered"]?.context ?? [String: Any]()
            context["values"] = Value.object(screen.values).context
            let own = shownAgain == nil ? content["alert"]?["message"]?.string : nil
            let alerts = [page.alert, page.alert == own ? nil : own].compactMap { $0 }.filter { !$0.isEmpty }
            context["alert"] = alerts.isEmpty ? nil : ["message": alerts.joined(separator: " ")]
            context["shown"] = screen.shownMessages
            context["query"] = screen.queryValues
            context["back"] = page.back
            context["errors"] = screen.fieldErrors
            context["formErrors"] = screen.formErrors
            context["pageErrors"] = otherErrors
            context["hasErrors"] = !otherErrors.isEmpty
            context["forms"] = forms.contexts
            context["loadingEvent"] = screen.loadingEvent ?? false
            context["outputs"] = screen.outputs
            context["curl"] = screen.curlCommand(url: "\(context["origin"] ?? "")\(prefix)/\(name)")
            context["demo"] = isDemo && name == "login" ? true : nil
            // No text in it can end the element or begin a comment.
            context["declaration"] = String(decoding: content.json, as: UTF8.self).replacing("<", with: "\\u003c")
            context["user"] = page.user.map { ["username": $0] }
            // Any user may log in, also after the one for whom the page was made has logged out.
            context["requiredUser"] = name == "login" ? nil : page.user?.percentEncoded(unless: \.isUnreservedInURI)
            context["login"] = name == "login" ? nil : served.path(of: "login")
            context["states"] = page.states?.context
            context["loaded"] = page.isLoaded ? name : nil
        }
    }

    /// The page about a problem of a request that changes something. It leads back to the page that the request names, if that is one of the
    /// service. A link never contains what the request names: a browser takes the path `//host/` for another site.
    func pageLeadingBack(from problem: Response, _ request: Request) -> Response {
        page(of: problem, request, back: served.links.first { $0.href == request.path }?.href)
    }

    /// The page about a problem.
    ///
    /// - Parameter back: where its link leads; the start if `nil`.
    func page(of problem: Response, _ request: Request, back: String? = nil) -> Response {
        let content = problem.json ?? .null
        var response = html("problem", request) { context, language in
            context["title"] = content["title"]?.string ?? language["problem.title"] ?? ""
            context["status"] = problem.status
            context["detail"] = content["detail"]?.string
            context["code"] = content["code"]?.string
            context["requestID"] = content["requestID"]?.string
            context["back"] = back ?? "\(prefix)/"
        }
        response.status = problem.status
        let kept: [HeaderName] = [.retryAfter, .allow, .setCookie, "WWW-Authenticate", "RateLimit", "RateLimit-Policy"]
        response.headers += problem.headers.filter { kept.contains($0.name) }
        return response
    }

    /// A page with what all pages have.
    ///
    /// - Parameter complete: adds what the template needs.
    func html(
        _ template: String,
        _ request: Request,
        _ complete: (inout [String: Any], Labels.Language) -> Void
    ) -> Response {
        let language = labels[request.headers]
        var context = language.context
        context["language"] = language.tag
        context["brand"] = title
        context["prefix"] = prefix
        context["script"] = assets.script.versionedPath
        context["style"] = assets.style.versionedPath
        // The documentation sends no events of pages.
        if template != "docs", let inspector = assets.inspector {
            context["inspector"] = [
                "script": inspector.script.versionedPath, "style": inspector.style.versionedPath,
                "session": isDevelopment ? "\(prefix)/session/inspection" : "",
            ]
            // Only a demonstration keeps its mails.
            context["mailbox"] = served.path(of: "mailbox")
        }
        context["key"] = RequestID.next() + RequestID.next()
        context["origin"] = request.headers[.host].map { "\(scheme)://\($0)" } ?? ""
        context["controls"] = assets.controls.versionedPath
        context["passkeys"] = assets.passkeys.versionedPath
        context["mark"] = (content.files["mark.svg"] ?? assets.mark).versionedPath
        context["assets"] = content.files.names
        context["isDocs"] = template == "docs"
        context["logout"] = served.path(of: "home")
        context["account"] = served.path(of: "account")
        context["forgot"] = served.path(of: "forgot")
        context["factors"] = served.path(of: "factors")
        complete(&context, language)
        let current = context["page"] as? String
        context["nav"] = navigation.compactMap { name in
            served.path(of: name).map { Link(name: name, href: $0).context(language, current: current) }
        }
        return Response(
            status: 200,
            contentType: "text/html; charset=utf-8",
            headers: Self.headers + [("Content-Language", language.tag)],
            body: render(template, context)
        )
    }

    private static let headers: [(name: HeaderName, value: String)] = [
        (.vary, "Accept, Accept-Language"),
        (
            "Content-Security-Policy",
            """
            default-src 'self'; img-src 'self' https: data:; require-trusted-types-for 'script'; object-src 'none'; base-uri 'none'; \
            form-action 'self'; frame-ancestors 'none'
            """
        ), ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        (
            "Permissions-Policy",
            "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
        ),
    ]
}

extension Value {
    /// The value as a template uses it. What is false for the module is false for a section: `null`, an empty text and 0.
    var context: Any {
        switch self {
        case .null: FalseValue(renderText: "")
        case .boolean(let value): value
        case .string(""): FalseValue(renderText: "")
        case .string(let text) where Timestamp(text) != nil: TimeValue(renderText: text)
        case .string(let text): text
        case .number: self == 0 ? FalseValue(renderText: "0") : "\(self)"
        case .array(let values): values.map(\.context)
        case .object(let object): Dictionary(object.map { ($0, $1.context) }) { first, _ in first }
        }
    }
}

/// A time. The transform `time` writes it for people who have no JavaScript: `{{time(created)}}`.
private struct TimeValue: MustacheCustomRenderable, MustacheTransformable {
    let renderText: String
    let isNull = false

    func transform(_ name: String) -> Any? {
        guard name == "time", let time = Timestamp(renderText) else { return nil }
        return "\(time.description.prefix(16).replacing("T", with: " ")) UTC"
    }
}

/// A value that a template can show as text, and whose section it does not show.
private struct FalseValue: MustacheCustomRenderable {
    let renderText: String
    let isNull = true
}
