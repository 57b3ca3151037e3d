import BusinessLogic

/// A request that an operation of an OpenAPI document takes, as a command for a POSIX shell.
struct DocumentedSample {
    /// What the request does; `nil` if the document does not describe it.
    let summary: String?
    let method: String
    let url: String
    let body: Value?
    /// Whether the operation needs a session.
    let needsSession: Bool

    /// A call of curl.
    var command: String {
        let isDefault = method == (body == nil ? "GET" : "POST")
        var words = ["curl"]
        if !isDefault { words.append("-X \(method)") }
        if needsSession { words.append("-H 'Authorization: Bearer TOKEN'") }
        if let body { words.append("--json \(Self.json(body).shellQuoted)") }
        // Braces and brackets, which curl would expand, are percent-encoded.
        return (words + [url]).joined(separator: " ")
    }

    /// A value as JSON: on one line if it is short.
    ///
    /// - Parameter indentation: the indentation of the line in which the value begins.
    static func json(_ value: Value, _ indentation: String = "") -> String {
        switch value {
        case .null: "null"
        case .boolean(let isTrue): "\(isTrue)"
        case .number: "\(value)"
        case .string(let text): quoted(text)
        case .array(let values): list(values.map { json($0, indentation + "    ") }, "[", "]", indentation)
        case .object(let members):
            list(
                members.map { "\(quoted($0.name)): \(json($0.value, indentation + "    "))" },
                "{",
                "}",
                indentation
            )
        }
    }

    private static func list(_ elements: [String], _ open: String, _ close: String, _ indentation: String) -> String {
        let line = open + elements.joined(separator: ", ") + close
        if indentation.count + line.count < 60, !line.contains("\n") { return line }
        let lines = elements.map { "\n\(indentation)    \($0)" }.joined(separator: ",")
        return "\(open)\(lines)\n\(indentation)\(close)"
    }

    /// A text in quotation marks. Control characters are escaped, because they would act on a terminal.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u00\(digits.count < 2 ? "0" : "")\(digits)"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
