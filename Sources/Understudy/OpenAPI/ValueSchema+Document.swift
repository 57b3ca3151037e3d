import BusinessLogic

extension ValueSchema {
    /// The schema in a document, with formats of numbers that code generators know: they make 32-bit numbers of those that they do not know.
    func documented(_ direction: Direction, reference: (ValueSchema) -> Value.Object?) -> Value.Object {
        jsonSchema(direction, reference: reference).withKnownFormats
    }
}

extension Value.Object {
    fileprivate var withKnownFormats: Value.Object {
        var schema = self
        if contains("format") {
            let types = self["type"].map { $0.array ?? [$0] } ?? []
            if types.contains("number") { schema["format"] = "double" }
            if types.contains("integer") { schema["format"] = "int64" }
        }
        if let items = self["items"]?.object { schema["items"] = .object(items.withKnownFormats) }
        for (name, property) in self["properties"]?.object ?? [:] {
            if let property = property.object { schema["properties"]?[name] = .object(property.withKnownFormats) }
        }
        return schema
    }
}
