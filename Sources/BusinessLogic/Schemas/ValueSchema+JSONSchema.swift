extension ValueSchema {
    /// The schema in JSON Schema 2020-12.
    ///
    /// - Parameter reference: for an OpenAPI document: returns what stands for a schema with a ``typeName``; `nil` to describe it in place.
    package func jsonSchema(
        _ direction: Direction,
        reference: ((ValueSchema) -> Value.Object?)? = nil
    ) -> Value.Object {
        if typeName != nil, let schema = reference?(self) {
            return isOptional ? ["oneOf": [.object(schema), ["type": "null"]]] : schema
        }
        var schema: Value.Object = [:]
        if let jsonType {
            schema["type"] = isOptional ? [.string(jsonType.rawValue), "null"] : .string(jsonType.rawValue)
        }
        switch kind {
        case .string:
            if minimumLength > 0 { schema["minLength"] = Value(minimumLength) }
            let maximumLength = maximumLength(direction)
            if maximumLength < .max, !isTime { schema["maxLength"] = Value(maximumLength) }
            if let range {
                // Of a vocabulary that validators know as an extension.
                schema["formatMinimum"] = range.minimum
                schema["formatMaximum"] = range.maximum
            }
        case .integer:
            schema["format"] = "int64"
            schema["minimum"] = range?.minimum ?? Value(Int.min)
            schema["maximum"] = range?.maximum ?? Value(Int.max)
        case .number:
            schema["format"] = "double"
            if let range {
                schema["minimum"] = range.minimum
                schema["maximum"] = range.maximum
            }
        case .choice(let choices):
            schema["enum"] = .array(choices.map(Value.string) + (isOptional ? [.null] : []))
        case .array(let element):
            schema["items"] = .object(element.jsonSchema(direction, reference: reference))
            let count = count(direction)
            if count.lowerBound > 0 { schema["minItems"] = Value(count.lowerBound) }
            if count.upperBound < .max { schema["maxItems"] = Value(count.upperBound) }
        case .object(let members): describe(members, in: &schema, direction, reference)
        case .boolean, .any: break
        }
        // Code generators make 32-bit numbers of formats that they do not know.
        if let format, reference == nil || jsonType != .integer && jsonType != .number {
            schema["format"] = .string(format)
        }
        return schema
    }

    private func describe(
        _ members: [FieldDeclaration],
        in schema: inout Value.Object,
        _ direction: Direction,
        _ reference: ((ValueSchema) -> Value.Object?)?
    ) {
        var properties: Value.Object = [:]
        for member in members {
            var property = member.schema.jsonSchema(direction, reference: reference)
            if let description = member.description { property["description"] = .string(description) }
            if member.isDeclaredSecret { property["writeOnly"] = true }
            if let whenAbsent = member.whenAbsent { property["default"] = whenAbsent }
            properties[member.name] = .object(property)
        }
        let required = members.filter { direction == .output || $0.whenAbsent == nil }
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        schema["properties"] = .object(properties)
        if direction == .input { schema["additionalProperties"] = false }
    }
}
