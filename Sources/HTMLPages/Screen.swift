import BusinessLogic
import Understudy

struct Screen {
    private let content: Value
    private let language: Labels.Language
    private let action: String
    let shown: ShownOutputs
    private let entered: EnteredValues?
    /// The messages about a value, by its path: `lines.0.size`.
    private let errors: [String: String]
    private let generalErrors: [String]

    /// `content` is what `GET /PAGE` returns, and `action` the page's path.
    init(_ content: Value, _ language: Labels.Language, page: String, action: String, _ entered: EnteredValues?) {
        shown = ShownOutputs(page: page, content, language)
        self.content = content
        self.language = language
        self.action = action
        self.entered = entered
        var errors: [String: String] = [:]
        var generalErrors: [String] = []
        let alert = content["alert"]?["message"]
        for error in (entered?.problem ?? content)["errors"].elements {
            guard let message = error["message"]?.string else { continue }
            if let path = error["pointer"]?.string?.path ?? error["field"]?.string {
                errors[path] = errors[path] ?? message
            } else if error["message"] != alert {
                generalErrors.append(message)
            }
        }
        if entered?.problem?.isKeyReused == true { generalErrors.append(language["form.sentBefore"] ?? "") }
        self.errors = errors
        self.generalErrors = generalErrors
    }

    /// `nil` if no form is shown again.
    private func isEntered(_ event: Value) -> Bool? {
        entered.map { $0.event.map { .string($0) == event["event"] } ?? (event["default"] == true) }
    }

    /// The messages for the form of an event, by the value's path: the problem with that form, or the messages that the event gives.
    private func errors(of event: Value) -> [String: String] {
        if let isEntered = isEntered(event) { return isEntered ? errors : [:] }
        let (renders, codes) = ((event["gives"]?["renders"]).elements, (event["gives"]?["messages"]).elements)
        var errors: [String: String] = [:]
        for error in content["errors"].elements {
            guard let field = error["field"]?.string, let code = error["code"], let text = error["message"]?.string
            else { continue }
            let outputs = content["messages"].members.filter { key, message in
                message["code"] == code && content["rendered"]?[key] == .string(text)
            }
            let isGiven =
                outputs.isEmpty ? codes.contains(code) : outputs.contains { renders.contains(.string($0.name)) }
            if isGiven { errors[field] = errors[field] ?? text }
        }
        return errors
    }

    /// The first message about each field, by the names of the event and of the field.
    ///
    /// Several forms can have a field with the same name. The message about it is in one of them.
    var formErrors: Value {
        .object(
            events.reduce(into: [:]) { found, event in
                if let name = event["event"]?.string { found[name] = Self.byField(errors(of: event)) }
            }
        )
    }

    /// The first message about each field, by its name.
    var fieldErrors: Value { Self.byField(errors) }

    private static func byField(_ errors: [String: String]) -> Value {
        .object(
            errors.sorted { $0.key < $1.key }.reduce(into: [:]) { found, error in
                let field = error.key.fieldName
                if !found.contains(field) { found[field] = .string(error.value) }
            }
        )
    }

    /// The messages that are not next to a control: those about values are, if `isShown` returns `true` for the value's path.
    func otherErrors(unless isShown: (String) -> Bool) -> [String] {
        generalErrors + errors.sorted { $0.key < $1.key }.filter { !isShown($0.key) }.map(\.value)
    }

    private var fields: [Value] { content["fields"].elements }
    private var events: [Value] { content["events"].elements }

    func hasField(_ path: String) -> Bool { fields.contains { $0["name"]?.string == path.fieldName } }

    var values: Value.Object {
        var values = content["values"].members
        for (name, value) in entered?.values ?? [:] { values[name] = value }
        return values
    }

    /// The texts of the messages that the page shows, by their code: that of `login.allowed` is `login.allowed` for templates.
    var shownMessages: Value {
        var texts: Value.Object = [:]
        func add(_ code: String?, _ text: String?) {
            let parts = code?.split(separator: ".", maxSplits: 1).map(String.init) ?? []
            guard parts.count == 2, let text else { return }
            var group = texts[parts[0]] ?? [:]
            group[parts[1]] = .string(text)
            texts[parts[0]] = group
        }
        for (key, message) in content["messages"].members {
            add(message["code"]?.string, content["rendered"]?[key]?.string)
        }
        add(content["alert"]?["code"]?.string, content["alert"]?["message"]?.string)
        return .object(texts)
    }

    /// The texts and numbers among the values, without secrets.
    var queryValues: Value {
        let secrets = fields.filter { $0["secret"] == true }.compactMap { $0["name"]?.string }
        var texts: Value.Object = [:]
        for (name, value) in content["values"].members where !secrets.contains(name) {
            texts[name] = value.formText.map { .string($0.queryEncoded) }
        }
        return .object(texts)
    }

    // MARK: Forms

    /// Events without fields that load a page: a person does not cause them.
    static let loadingEvents: Set<String> = ["viewDidLoad", "viewWillAppear", "viewDidAppear", "onAppear", "onStart"]

    /// A form for an event that loads the page would be a button without a meaning.
    static func isLoading(_ event: String, readsFields: Bool) -> Bool { !readsFields && loadingEvents.contains(event) }

    private static func isLoading(_ event: Value) -> Bool {
        isLoading(event["event"]?.string ?? "", readsFields: event["reads"] != [])
    }

    /// `nil` if no event loads the page.
    var loadingEvent: String? { events.first(where: Self.isLoading)?["event"]?.string }

    /// A form for each event that a person causes, that of the default event first, and the paths of the values that have a control.
    var forms: (contexts: Value, paths: Set<String>) {
        let sorted = events.filter { $0["default"] == true } + events.filter { $0["default"] != true }
        var paths: Set<String> = []
        let contexts = sorted.filter { !Self.isLoading($0) }.map { event -> Value in
            let name = event["event"]?.string ?? ""
            let isEntered = isEntered(event)
            let values = isEntered == true ? values : content["values"].members
            var controls = FormControls(event: name, language: language, errors: errors(of: event))
            let contexts = event["reads"].elements.compactMap { read in
                fields.first { $0["name"] == read }.map { controls.control(of: $0, values[read.string ?? ""]) }
            }
            if isEntered != false { paths.formUnion(controls.paths) }
            return [
                "event": .string(name), "action": .string(action), "default": .boolean(event["default"] == true),
                "label": .string(language[.event(name)]), "fields": .array(contexts),
                "hasRowButtons": .boolean(contexts.contains { $0["isList"] == true || $0["isGroup"] == true }),
            ]
        }
        return (.array(contexts), paths)
    }

    // MARK: Outputs

    var outputs: Value { .array(content["outputs"].elements.compactMap(output)) }

    private func output(_ output: Value) -> Value? {
        guard let key = output["key"]?.string else { return nil }
        let schema = FormSchema(json: output["schema"] ?? .null)
        guard schema.isShown else { return nil }
        let value = shown.values[key]
        var context = cell([key], schema, value)
        let members = (schema.items ?? schema).members ?? []
        // A person does not read identifiers.
        let columns = members.count > 1 ? members.filter { $0.name != "id" } : members
        func cells(_ object: Value?) -> Value {
            .array(columns.map { .object(cell([key, $0.name], $0.schema, object?[$0.name])) })
        }
        context["isTable"] = .boolean(schema.items != nil && !members.isEmpty)
        context["isGroup"] = .boolean(schema.items == nil && !members.isEmpty)
        context["columns"] = cells(schema.items == nil ? value : nil)
        context["rows"] = .array(value.elements.map { .object(["cells": cells($0)]) })
        return .object(context)
    }

    private func cell(_ names: [String], _ schema: FormSchema, _ value: Value?) -> Value.Object {
        let isList = schema.items?.isScalar == false
        return [
            "key": Value(names.last), "path": .string(names.joined(separator: ".")),
            "label": .string(language[.field(names)]), "isList": .boolean(isList),
            "value": .string(shown.text(of: value ?? .null, at: names)),
            "items": .array(isList ? value.elements.map { .string(shown.text(of: $0, at: names)) } : []),
        ]
    }
}

extension FormSchema {
    /// Whether a page without a template shows an output with this schema. Booleans mostly say whether a button is enabled.
    var isShown: Bool {
        if let items { return items.isScalar || items.members?.isEmpty == false }
        return members?.isEmpty == false || ["string", "number", "integer"].contains(type)
    }
}

struct ShownPage: Sendable {
    let name: String
    /// What `GET /PAGE` returns.
    var content: Value
    /// The name of the session's user; `nil` without one.
    let user: String?
    /// A login leads to this checked path; `nil` to follow the login's command.
    var back: String?
    var alert: String?
    var isLoaded = false
    /// The form that is shown again instead of the page that its event would lead to; `nil` to show what the session says.
    var entered: EnteredValues?
}

extension String {
    /// The name of the field in a path such as `lines.0.size`.
    var fieldName: String { String(Substring(utf8.prefix { $0 != UInt8(ascii: ".") })) }

    /// The path that a JSON pointer such as `/lines/0/size` means.
    fileprivate var path: String {
        utf8.split(separator: UInt8(ascii: "/"))
            .map { String(Substring($0)).replacingBytes("~1", with: "/").replacingBytes("~0", with: "~") }
            .joined(separator: ".")
    }
}
