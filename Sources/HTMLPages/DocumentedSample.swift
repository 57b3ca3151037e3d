import BusinessLogic

/// The requests that an operation of an OpenAPI document takes, as commands for a POSIX shell.
enum DocumentedSample {
    /// The samples of an operation: one for each example of its body, and otherwise one with the examples of its schema. The summary is `nil` if
    /// the document does not describe the example.
    static func all(
        of operation: Value,
        _ method: String,
        _ path: String,
        in document: Value
    ) -> [(summary: String?, command: String)] {
        let body = operation["requestBody"]?.resolved(in: document)["content"]?["application/json"]
        var requests: [(summary: String?, body: Value?)] = (body?["examples"]?.object ?? [:]).compactMap { _, example in
            example["value"].map { (example["summary"]?.string, $0) }
        }
        if requests.isEmpty {
            requests = [(nil, body.map { $0["example"] ?? example(of: $0["schema"] ?? [:], in: document) })]
        }
        let url = serverURL(of: document) + target(path, of: operation, in: document)
        let security = operation["security"]?.array ?? document["security"]?.array ?? []
        let needsSession = !security.isEmpty && !security.contains([:])
        return requests.map { summary, body in
            let isDefault = method == (body == nil ? "get" : "post")
            var words = ["curl"]
            if !isDefault { words.append("-X \(method.uppercased())") }
            if needsSession { words.append("-H 'Authorization: Bearer TOKEN'") }
            if let body { words.append("--json \(json(body).shellQuoted)") }
            // Braces and brackets, which curl would expand, are percent-encoded.
            return (summary, (words + [url]).joined(separator: " "))
        }
    }

    /// The URL of the document's server. If it lacks an origin, that of a service that runs on this machine: the same for all clients.
    private static func serverURL(of document: Value) -> String {
        let url = document["servers"]?.array?.first?["url"]?.string ?? ""
        let path = url.hasSuffix("/") ? String(url.dropLast()) : url
        return path.contains("://") ? path : "http://localhost:8080\(path)"
    }

    /// The path with the examples of its parameters, and of the parameters of the query that a request must have.
    private static func target(_ path: String, of operation: Value, in document: Value) -> String {
        var values: [String: String] = [:]
        var query: [String] = []
        for parameter in operation["parameters"]?.array ?? [] {
            let parameter = parameter.resolved(in: document)
            let name = parameter["name"]?.string ?? ""
            let value = parameter["example"] ?? example(of: parameter["schema"] ?? [:], in: document)
            let text = (value.string ?? "\(value)").queryEncoded
            if parameter["in"] == "path" { values[name] = text }
            if parameter["in"] == "query", parameter["required"] == true {
                query.append("\(name.queryEncoded)=\(text)")
            }
        }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let isParameter = segment.first == "{" && segment.last == "}"
            let value = isParameter ? values[String(segment.dropFirst().dropLast())] : nil
            return value ?? String(segment).queryEncoded
        }
        return segments.joined(separator: "/") + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))")
    }

    /// The example of a schema.
    private static func example(of schema: Value, in document: Value) -> Value {
        let schema = schema.resolved(in: document)
        return schema["example"] ?? schema["examples"]?.array?.first ?? schema["enum"]?.array?.first ?? "…"
    }

    // MARK: JSON

    /// A value as JSON: on one line if it is short.
    ///
    /// - Parameter indentation: the indentation of the line in which the value begins.
    static func json(_ value: Value, _ indentation: String = "") -> String {
        switch value {
        case .array(let values): list(values.map { json($0, indentation + "    ") }, "[", "]", indentation)
        case .object(let members):
            list(
                members.map { "\(escaped(.string($0.name))): \(json($0.value, indentation + "    "))" },
                "{",
                "}",
                indentation
            )
        default: escaped(value)
        }
    }

    private static func list(_ elements: [String], _ open: String, _ close: String, _ indentation: String) -> String {
        let line = open + elements.joined(separator: ", ") + close
        if indentation.count + line.count < 60, !line.contains("\n") { return line }
        let lines = elements.map { "\n\(indentation)    \($0)" }.joined(separator: ",")
        return "\(open)\(lines)\n\(indentation)\(close)"
    }

    /// A value on one line. DEL is escaped as other control characters, because it would act on a terminal.
    private static func escaped(_ value: Value) -> String { "\(value)".replacingBytes("\u{7F}", with: "\\u007f") }
}
