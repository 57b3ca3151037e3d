import BusinessLogic

/// A request that an operation of an OpenAPI document takes, in several languages.
struct DocumentedSample {
    /// What the request does; `nil` if the document does not describe it.
    let summary: String?
    let method: String
    let url: String
    /// The base of the URL.
    let server: String
    let body: Value?
    /// Whether the operation needs a session.
    let needsSession: Bool
    /// Whether the response is JSON.
    let returnsJSON: Bool
    /// The page to which the request belongs; `nil` if it belongs to none.
    let page: String?

    /// The languages of the sample, with its text in each.
    var texts: [(language: SampleLanguage, text: String)] {
        var texts: [(SampleLanguage, String)] = [(.curl, curl), (.javaScript, javaScript), (.python, python)]
        if let swift { texts.append((.swift, swift)) }
        return texts
    }

    private var headers: Value.Object {
        var headers: Value.Object = [:]
        if body != nil { headers["Content-Type"] = "application/json" }
        if needsSession { headers["Authorization"] = "Bearer TOKEN" }
        return headers
    }

    private var curl: String {
        let isDefault = method == (body == nil ? "GET" : "POST")
        var words = ["curl"]
        if !isDefault { words.append("-X \(method)") }
        if needsSession { words.append("-H 'Authorization: Bearer TOKEN'") }
        if let body {
            words.append("--json '\(SampleLanguage.curl.literal(body).replacingBytes("'", with: #"'\''"#))'")
        }
        // Braces and brackets, which curl would expand, are percent-encoded.
        return (words + [url]).joined(separator: " ")
    }

    private var javaScript: String {
        let language = SampleLanguage.javaScript
        var options: [String] = []
        if method != "GET" { options.append("method: \"\(method)\"") }
        if !headers.isEmpty { options.append("headers: \(language.literal(.object(headers), "    "))") }
        if let body { options.append("body: JSON.stringify(\(language.literal(body, "    ")))") }
        let argument = options.isEmpty ? "" : ", {\n\(options.map { "    \($0),\n" }.joined())}"
        return """
            const response = await fetch("\(url)"\(argument));
            console.log(await response.\(returnsJSON ? "json" : "text")());
            """
    }

    private var python: String {
        let language = SampleLanguage.python
        var arguments = ["\"\(url)\""]
        if body != nil { arguments.append("json.dumps(body).encode()") }
        if !headers.isEmpty { arguments.append("headers=\(language.literal(.object(headers), "    "))") }
        if method != (body == nil ? "GET" : "POST") { arguments.append("method=\"\(method)\"") }
        let oneLine = arguments.joined(separator: ", ")
        let isShort = oneLine.count < 60
        return """
            import \(body == nil && !returnsJSON ? "" : "json, ")urllib.request

            \(body.map { "body = \(language.literal($0))\n" } ?? "")\
            request = urllib.request.Request(\(isShort ? oneLine : "\n\(arguments.map { "    \($0),\n" }.joined())"))
            with urllib.request.urlopen(request) as response:
                print(\(returnsJSON ? "json.load(response)" : "response.read().decode()"))
            """
    }

    /// With `UnderstudyClient`.
    private var swift: String? {
        guard let page else { return nil }
        let language = SampleLanguage.swift
        var lines = ["let session = RemoteSession(url)  // \(server)", "let screen = ResponseRecorder()"]
        let name = language.literal(.string(page))
        guard method == "POST" else {
            lines += [
                "let page = RemoteEventable(\(name), in: session)", "page.controllable = screen",
                "try await page.refresh()",
            ]
            return (lines + ["print(screen.commands)"]).joined(separator: "\n")
        }
        guard let event = body?["event"]?.string else { return nil }
        lines.append("screen.eventable = RemoteEventable(\(name), in: session)")
        for (field, value) in body?["values"]?.object ?? [:] {
            lines.append("screen.setValue(\(language.literal(value)), for: \(language.literal(.string(field))))")
        }
        lines.append("try await screen.dispatchEvent(\(language.literal(.string(event))))")
        return (lines + ["print(screen.commands)"]).joined(separator: "\n")
    }
}
