import BusinessLogic
import UnderstudyPages

struct DescribedPage {
    let page: Page
    let names: DocumentNames.Page
    let types: DocumentNames.Types
    let links: PageLinks
}

/// The schemas of the bodies that a client can post to the page, created from the declarations of its events.
///
/// They describe complete requests: with the event, and with every value that the event needs. The server also accepts shorter ones.
extension DescribedPage {
    var requestSchemas: Value.Object {
        var schemas: Value.Object = [:]
        for (declaration, names) in zip(page.events, names.events) {
            schemas[names.request] = request(declaration, names)
            if !declaration.reads.isEmpty { schemas[names.values] = values(of: declaration) }
        }
        if page.events.count > 1 { schemas[names.event] = anyEvent }
        return schemas
    }

    var requestSchema: Value { .schema(page.events.count > 1 ? names.event : names.events[0].request) }

    private var anyEvent: Value {
        let mapping = zip(page.events, names.events).map { declaration, names in
            (declaration.event.name, "#/components/schemas/\(names.request)" as Value)
        }
        return [
            "description": "An event of the page `\(page.name)`.",
            "oneOf": .array(names.events.map { .schema($0.request) }),
            "discriminator": ["propertyName": "event", "mapping": .object(Value.Object(mapping))],
        ]
    }

    private func request(_ declaration: EventDeclaration, _ names: DocumentNames.Event) -> Value {
        var properties: Value.Object = [
            "event": [
                "description": "The name of the event.", "type": "string", "const": .string(declaration.event.name),
            ]
        ]
        if !declaration.reads.isEmpty { properties["values"] = .schema(names.values) }
        let needsValues = declaration.reads.contains(where: \.isRequired)
        return .objectSchema(
            summary(of: declaration),
            properties,
            required: needsValues ? ["event", "values"] : ["event"],
            isOpen: false
        )
    }

    private func values(of declaration: EventDeclaration) -> Value {
        .objectSchema(
            "The values that `\(declaration.event.name)` reads.",
            Value.Object(declaration.reads.map { ($0.name, schema(of: $0)) }),
            required: declaration.reads.filter(\.isRequired).map(\.name),
            isOpen: false
        )
    }

    private func schema(of field: FieldDeclaration) -> Value {
        var schema = field.schema.jsonSchema(.input, reference: types.reference)
        let isSecret = page.isSecret(field)
        if isSecret, field.schema.format == nil, field.schema.jsonType == .string { schema["format"] = "password" }
        if let description = field.description { schema["description"] = .string(description) }
        if isSecret { schema["writeOnly"] = true }
        if let whenAbsent = field.whenAbsent { schema["default"] = whenAbsent }
        schema["examples"] = [example(of: field)]
        return .object(schema)
    }

    /// It is one that an event declares, or that of the field's type.
    func example(of field: FieldDeclaration) -> Value {
        for (declaration, examples) in zip(page.events, page.eventExamples)
        where declaration.reads(field.name) {
            for example in examples() {
                if let value = example[field.name], value != .null { return value }
            }
        }
        return field.schema.example
    }

    package func summary(of declaration: EventDeclaration) -> String {
        let reads = declaration.reads.map { field in
            var notes: [String] = []
            if page.isSecret(field) { notes.append("secret") }
            if !field.isRequired { notes.append("may be absent") }
            return "`\(field.name)`" + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
        }
        return "`\(declaration.event.name)`" + (declaration.isDefault ? ", the default event," : "") + " reads "
            + (reads.isEmpty ? "no field." : reads.joined(separator: ", ") + ".")
    }
}

extension Page {
    /// If one event declares a field as secret, it is secret for all events of the page.
    func isSecret(_ field: FieldDeclaration) -> Bool { secrets.contains(field.name) }
}

extension FieldDeclaration {
    /// Without a value for it, an event that reads the field is rejected.
    var isRequired: Bool { whenAbsent == nil }
}
