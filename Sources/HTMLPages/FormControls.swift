import BusinessLogic

/// The controls of an event's form, as templates use them.
///
/// A template looks for a name in the context around it as well, so that the context of each control has all names.
struct FormControls {
    /// Begins the IDs of the form's controls.
    let event: String
    let language: Labels.Language
    /// The messages by the path of their value: `lines.0.size`.
    let errors: [String: String]
    var paths: Set<String> = []

    /// The field is an element of `fields`. Texts replace values that are not valid; `nil` without a value.
    mutating func control(of field: Value, _ value: Value?) -> Value {
        let name = field["name"]?.string ?? ""
        let schema = FormSchema(json: field["schema"] ?? .null)
        let isOptional = field["whenAbsent"] != nil || schema.isOptional
        // The value of a secret field can only be that of a link.
        let isSecret = field["secret"] == true && !schema.hasSecrets && field["fromLink"] != true
        let part = Part(names: [name], path: name, name: name, isOptional: isOptional, isSecret: isSecret)
        var context = control(part, schema, whenAbsent: field["whenAbsent"], value)
        if let description = field["description"] { context["description"] = description }
        return context
    }

    private struct Part {
        var names: [String]
        /// The names with the indices of elements, separated by dots.
        var path: String
        var name: String
        /// Whether the form can be without the value.
        var isOptional: Bool
        var isSecret: Bool
        /// `nil` if the value is not a list's element.
        var number: Int?

        func member(_ name: String, _ schema: FormSchema) -> Part {
            let path = "\(path).\(name)"
            return Part(
                names: names + [name],
                path: path,
                name: path,
                isOptional: schema.hasDefault || schema.isOptional,
                isSecret: isSecret || schema.isSecret
            )
        }

        func element(_ index: Int, _ schema: FormSchema) -> Part {
            let path = "\(path).\(index)"
            return Part(
                names: names,
                path: path,
                name: schema.isScalar ? name : path,
                isOptional: schema.isOptional,
                isSecret: isSecret,
                number: index + 1
            )
        }
    }

    private mutating func control(_ part: Part, _ schema: FormSchema, whenAbsent: Value?, _ value: Value?) -> Value {
        if let items = schema.items {
            let elements = value.elements
            let padding = Array(repeating: Value.null, count: max(0, schema.rows.lowerBound - elements.count))
            let rows = elements + padding
            return list(part, schema.rows, rows, path: { "\(part.path).\($0)" }) { controls, index, value in
                controls.control(part.element(index, items), items, whenAbsent: nil, value)
            }
        }
        if let members = schema.members {
            guard part.isOptional, part.number == nil else {
                return group(part, members, value?.object, hasLegend: true)
            }
            // An object that a form can be without, as a list of at most one row.
            let rows = (value?.object).map { [Value.object($0)] } ?? []
            return list(part, schema.rows, rows, path: { _ in part.path }) { controls, _, value in
                controls.group(part, members, value?.object, hasLegend: false)
            }
        }
        return scalar(part, schema, whenAbsent: whenAbsent, part.isSecret ? nil : value)
    }

    private mutating func context(_ part: Part, _ members: Value.Object) -> Value {
        let error = errors[part.path]
        paths.insert(part.path)
        var context: Value.Object = [
            "id": "\(event)-\(part.path)", "path": .string(part.path), "name": .string(part.name),
            "label": .string(language[.field(part.names)]), "number": part.number.map { Value($0) } ?? false,
            "secret": .boolean(part.isSecret), "error": Value(error), "hasError": .boolean(error != nil),
            "isInput": false, "isSelect": false, "isGroup": false, "isList": false, "checkbox": false, "type": "",
            "hasValue": false, "value": "", "checked": false, "maxLength": false, "attributes": [], "options": [],
        ]
        for (name, value) in members { context[name] = value }
        return .object(context)
    }

    // MARK: Groups and lists

    /// - Parameter hasLegend: whether the group has a frame with a legend of its own.
    private mutating func group(
        _ part: Part,
        _ members: [(name: String, schema: FormSchema)],
        _ value: Value.Object?,
        hasLegend: Bool
    ) -> Value {
        let controls = members.map { name, schema in
            control(part.member(name, schema), schema, whenAbsent: schema["default"], value?[name])
        }
        return context(part, ["isGroup": true, "hasLegend": .boolean(hasLegend), "members": .array(controls)])
    }

    /// The path is that of a row. Without a value, the controls of a row are those of the template.
    private mutating func list(
        _ part: Part,
        _ count: ClosedRange<Int>,
        _ values: [Value],
        path: (Int) -> String,
        _ row: (inout FormControls, Int, Value?) -> Value
    ) -> Value {
        let known = paths
        let template = row(&self, 0, nil)
        paths = known
        let rows = values.enumerated().map { index, value -> Value in
            ["control": row(&self, index, value), "row": .string(path(index))]
        }
        return context(
            part,
            [
                "isList": true, "minimum": Value(count.lowerBound), "maximum": Value(count.upperBound),
                "hasRows": .boolean(!rows.isEmpty), "isFull": .boolean(rows.count >= count.upperBound),
                "isFixed": .boolean(rows.count <= count.lowerBound), "rows": .array(rows),
                "template": ["control": template, "row": .string(path(0))],
            ]
        )
    }

    // MARK: Inputs

    private mutating func scalar(_ part: Part, _ schema: FormSchema, whenAbsent: Value?, _ value: Value?) -> Value {
        if schema.type == "boolean", whenAbsent == false, part.number == nil {
            // A browser does not send a box that is not ticked.
            let isChecked = Value.boolean(value == true)
            return context(part, ["isInput": true, "checkbox": true, "type": "checkbox", "checked": isChecked])
        }
        var members: Value.Object = [:]
        let text = value?.formText ?? whenAbsent?.formText
        var attributes: [(name: String, value: String)] = []
        func add(_ name: String, _ keyword: String) {
            guard let value = schema[keyword]?.formText else { return }
            attributes.append((name, schema.format == "date-time" ? value.localTime : value))
        }
        var isRequired = !part.isOptional
        if let choices = schema.choices ?? (schema.type == "boolean" ? ["true", "false"] : nil) {
            members["isSelect"] = true
            let selected = text.flatMap { choices.contains($0) ? $0 : nil }
            members["hasEmpty"] = .boolean(schema.isOptional || selected == nil)
            let options = choices.map { choice -> Value in
                [
                    "value": .string(choice), "label": .string(language[.choice(choice, of: part.names)]),
                    "selected": .boolean(choice == selected),
                ]
            }
            members["options"] = .array(options)
        } else {
            members["isInput"] = true
            members["hasValue"] = .boolean(text != nil)
            members["value"] = Value(text)
            switch (schema.type, schema.format) {
            case ("integer", _), ("number", _):
                members["type"] = "number"
                attributes.append(("step", schema.type == "integer" ? "1" : "any"))
                for (name, keyword) in [("min", "minimum"), ("max", "maximum")] where !schema.isUnbounded(keyword) {
                    add(name, keyword)
                }
            case ("string", "date"), ("string", "date-time"):
                members["type"] = "date"
                if schema.format == "date-time" {
                    members["type"] = "datetime-local"
                    members["label"] = "\(language[.field(part.names)]) (UTC)"
                    members["value"] = Value(text?.localTime)
                    attributes.append(("step", "any"))
                }
                add("min", "formatMinimum")
                add("max", "formatMaximum")
            default:
                members["type"] = part.isSecret ? "password" : schema.format == "email" ? "email" : "text"
                if let maximum = schema["maxLength"] { members["maxLength"] = maximum }
                add("minlength", "minLength")
                add("maxlength", "maxLength")
                // An empty text is valid.
                if schema["minLength"] == nil, schema.format == nil { isRequired = false }
            }
        }
        if isRequired { attributes.append(("required", "")) }
        members["attributes"] = .array(attributes.map { ["attribute": .string($0.name), "text": .string($0.value)] })
        return context(part, members)
    }
}

extension FormSchema {
    fileprivate func isUnbounded(_ keyword: String) -> Bool {
        self[keyword]?.double.map { abs($0) > 9_007_199_254_740_992 } ?? true
    }
}

extension Value {
    /// `nil` if the value is no scalar.
    var formText: String? {
        switch self {
        case .string(let text): text
        // As a script writes it: 5 for 5.0.
        case .number(.double(let number)) where abs(number) < 1e15 && number == number.rounded(): "\(Int(number))"
        case .boolean, .number: "\(self)"
        case .null, .array, .object: nil
        }
    }
}

extension String {
    /// A time as an input for dates and times accepts it, in UTC: without the offset.
    fileprivate var localTime: String {
        guard let time = Timestamp(self)?.description else { return self }
        return String(time.dropLast())
    }
}
