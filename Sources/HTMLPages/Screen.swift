import BusinessLogic

/// What `GET /PAGE` returns, as templates use it.
struct Screen {
    private let content: Value
    private let language: Labels.Language
    /// The errors about a field, by its name.
    let fieldErrors: [String: String]
    /// The other errors.
    let otherErrors: [String]

    init(_ content: Value, _ language: Labels.Language) {
        self.content = content
        self.language = language
        var fieldErrors: [String: String] = [:]
        var otherErrors: [String] = []
        let alert = content["alert"]?["message"]
        for error in content["errors"]?.array ?? [] {
            guard let message = error["message"]?.string else { continue }
            if let field = error["field"]?.string {
                fieldErrors[field] = message
            } else if error["message"] != alert {
                otherErrors.append(message)
            }
        }
        self.fieldErrors = fieldErrors
        self.otherErrors = otherErrors
    }

    /// The outputs that are texts or numbers, with what they show.
    var outputs: [[String: Any]] {
        (content["outputs"]?.array ?? []).compactMap { output in
            guard let key = output["key"]?.string, ["string", "number"].contains(output["kind"]?.string) else {
                return nil
            }
            return [
                "key": key, "label": language["label.\(key)"] ?? key, "value": content["rendered"]?[key]?.context ?? "",
            ]
        }
    }

    /// A form for each event; that of the default event is the first.
    func forms(action: String) -> [[String: Any]] {
        let fields = content["fields"]?.array ?? []
        let events = content["events"]?.array ?? []
        let sorted = events.filter { $0["default"] == true } + events.filter { $0["default"] != true }
        return sorted.map { event in
            let name = event["event"]?.string ?? ""
            let reads = event["reads"]?.array ?? []
            return [
                "event": name, "action": action, "default": event["default"] == true,
                "label": language["event.\(name)"] ?? name,
                "fields": reads.compactMap { read in fields.first { $0["name"] == read } }.map(field),
            ]
        }
    }

    /// The command that sends the default event with the values of its form; empty if the page has no default event.
    func curlCommand(url: String) -> String {
        guard let event = content["events"]?.array?.first(where: { $0["default"] == true }) else { return "" }
        let secrets = (content["fields"]?.array ?? []).filter { $0["secret"] == true }.map { $0["name"] }
        let fields = (event["reads"]?.array ?? []).compactMap { read in
            read.string.map { name in
                (name: name, value: secrets.contains(read) ? nil : content["values"]?[name].flatMap(\.formText))
            }
        }
        return CurlCommand(fields: fields, url: url).text
    }

    private func field(_ field: Value) -> [String: Any] {
        let name = field["name"]?.string ?? ""
        let value = content["values"]?[name]
        let isSecret = field["secret"] == true
        let isCheckbox = field["kind"] == "boolean"
        var context: [String: Any] = [
            "name": name, "label": language["label.\(name)"] ?? name, "secret": isSecret, "checkbox": isCheckbox,
            "type": isSecret ? "password" : field["format"] == "email" ? "email" : isCheckbox ? "checkbox" : "text",
        ]
        if let maximum = field["maxLength"] { context["maxLength"] = "\(maximum)" }
        if let description = field["description"]?.string { context["description"] = description }
        if isCheckbox { context["checked"] = value == true } else if !isSecret { context["value"] = value?.context }
        if let error = fieldErrors[name] {
            context["error"] = error
            context["hasError"] = true
        }
        return context
    }
}

extension Value {
    /// The value as a form sends it; `nil` if a form cannot.
    fileprivate var formText: String? {
        switch self {
        case .string(let text): text
        case .boolean, .number: "\(self)"
        case .null, .array, .object: nil
        }
    }
}
