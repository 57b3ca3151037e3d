package import BusinessLogic

extension ValidationRule {
    /// The rule's result for a value, as in a response.
    ///
    /// - Parameter context: the language of messages.
    package func result(of value: String, _ context: ResponseContext = ResponseContext()) -> Value {
        switch check(value) {
        case .valid(let normalised):
            return isSecret ? ["valid": true] : ["valid": true, "normalised": .string(normalised ?? value)]
        case .invalid(let message):
            var result: Value.Object = [
                "valid": false, "code": .string(message.code), "message": .string(context.text(of: message)),
            ]
            if !message.parameters.isEmpty { result["parameters"] = .object(message.parameters) }
            return .object(result)
        }
    }

    /// The rule as `GET /validate` describes it.
    package var value: Value {
        var value: Value.Object = [
            "rule": .string(name), "maxLength": Value(maximumLength), "secret": .boolean(isSecret),
        ]
        if let example { value["example"] = .string(example) }
        return .object(value)
    }
}
