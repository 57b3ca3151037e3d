import BusinessLogic

/// The schemas of the bodies that a client can post to a page, created from the declarations of its events.
extension Page {
    /// The page's schemas by name: an envelope for each event, the values of the default event alone, and the form.
    var schemas: Value.Object {
        var schemas: Value.Object = [:]
        for (declaration, name) in zip(events, eventSchemaNames) { schemas[name] = envelope(of: declaration) }
        schemas[shorthandSchemaName] = valuesSchema(of: defaultEvent)
        schemas[formSchemaName] = form
        return schemas
    }

    /// A body in JSON: an envelope, or the values of the default event alone.
    var submissionSchema: Value {
        ["oneOf": .array((eventSchemaNames + [shorthandSchemaName]).map(Value.schema))]
    }

    var formSchemaName: String { "\(name).form" }

    private var shorthandSchemaName: String { "\(name).values" }

    /// A name for each event's schema. An event may have any name. The name of a component contains only letters, digits, `-`,
    /// `_` and `.`.
    private var eventSchemaNames: [String] {
        var names: [String] = []
        for declaration in events {
            let plain = declaration.event.name.utf8.map {
                $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") ? Character(UnicodeScalar($0)) : "_"
            }
            let base = "\(name).event.\(String(plain))"
            var unique = base
            var number = 2
            while names.contains(unique) {
                unique = "\(base).\(number)"
                number += 1
            }
            names.append(unique)
        }
        return names
    }

    private func envelope(of declaration: EventDeclaration) -> Value {
        var required: [Value] = declaration.isDefault ? [] : ["event"]
        if declaration.reads.contains(where: isSecret) { required.append("values") }
        var schema: Value.Object = [
            "description": .string(summary(of: declaration)),
            "type": "object",
        ]
        if !required.isEmpty { schema["required"] = .array(required) }
        // An empty object is the default event's values, not an envelope.
        if declaration.isDefault { schema["minProperties"] = 1 }
        schema["properties"] = [
            "event": ["type": "string", "const": .string(declaration.event.name)],
            "values": declaration.isDefault ? .schema(shorthandSchemaName) : valuesSchema(of: declaration),
        ]
        schema["additionalProperties"] = false
        return .object(schema)
    }

    /// The schema of the values that a client may send with an event: those that the event reads, and those of the page's other
    /// events.
    private func valuesSchema(of declaration: EventDeclaration) -> Value {
        var properties: Value.Object = [:]
        for field in declaration.reads { properties[field.name] = schema(of: field) }
        for field in fields where !properties.contains(field.name) {
            let note =
                isSecret(field)
                ? "`\(declaration.event.name)` does not read it, and it is not kept."
                : "`\(declaration.event.name)` does not read it; it is kept for an event that does."
            properties[field.name] = schema(of: field, note: note)
        }
        var schema: Value.Object = [:]
        if declaration.isDefault {
            schema["description"] = .string("The values of `\(declaration.event.name)`, the page's default event.")
        }
        schema["type"] = "object"
        // The page keeps all other values, so that a client need not send them again.
        let required = declaration.reads.filter(isSecret)
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        if !properties.isEmpty { schema["properties"] = .object(properties) }
        schema["additionalProperties"] = false
        return .object(schema)
    }

    private var form: Value {
        var properties: Value.Object = [
            "event": [
                "description": "The event; `\(defaultEvent.event.name)` where it is left out.",
                "type": "string",
                "enum": .array(events.map { .string($0.event.name) }),
                "default": .string(defaultEvent.event.name),
            ]
        ]
        for field in fields { properties[field.name] = schema(of: field, canBeNull: false) }
        let required = fields.filter { field in
            isSecret(field) && events.allSatisfy { $0.reads.contains { $0.name == field.name } }
        }
        var schema: Value.Object = [
            "description": "The event and its values as a form, in which no value can be null.",
            "type": "object",
        ]
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        schema["properties"] = .object(properties)
        schema["additionalProperties"] = false
        return .object(schema)
    }

    private func schema(of field: Field, note: String? = nil, canBeNull: Bool = true) -> Value {
        let kind = Value.string(field.kind.rawValue)
        var schema: Value.Object = [:]
        if let note { schema["description"] = .string(note) }
        schema["type"] = field.isOptional && canBeNull ? [kind, "null"] : kind
        if field.kind == .string { schema["maxLength"] = Value(field.maximumLength) }
        if isSecret(field) {
            if field.kind == .string { schema["format"] = "password" }
            schema["writeOnly"] = true
        }
        return .object(schema)
    }

    /// Whether the field is secret: if one event declares it as secret, it is secret for all events of the page.
    func isSecret(_ field: Field) -> Bool {
        secrets.contains(field.name)
    }

    /// A summary of an event in one line: its name and the fields that it reads.
    func summary(of declaration: EventDeclaration) -> String {
        let reads = declaration.reads.map { "`\($0.name)`" + (isSecret($0) ? " (secret)" : "") }
        return "`\(declaration.event.name)`" + (declaration.isDefault ? ", the default event," : "") + " reads "
            + (reads.isEmpty ? "no field." : reads.joined(separator: ", ") + ".")
    }
}
