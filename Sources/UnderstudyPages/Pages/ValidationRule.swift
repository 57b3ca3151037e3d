public import BusinessLogic

/// A rule that `POST /validate` checks values against, without a session.
///
/// A page registers the rules that its events apply. ``ServiceConfiguration/rules`` adds others.
public struct ValidationRule: Sendable {
    /// The result of a check.
    public enum Outcome: Equatable, Sendable {
        /// The value is valid. `normalised` is the value as the page would store it; `nil` if the rule does not change values.
        case valid(normalised: String? = nil)
        /// The value is invalid, for the reason that the message gives.
        case invalid(Message)
    }

    package let name: String
    /// The maximum number of Unicode code points of a value. A longer value is rejected before the rule runs.
    package let maximumLength: Int
    /// Results do not repeat secret values.
    package let isSecret: Bool
    /// A value for the OpenAPI document, which shows it with the rule's result; `nil` for no example.
    package let example: String?
    package let messages: [Message]
    package static let maximumChecks = 1000

    package let check: @Sendable (String) -> Outcome

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - name: the name by which a client selects the rule.
    ///   - maximumLength: the maximum number of Unicode code points of a value, at least 0.
    ///   - isSecret: whether values are secret. If so, results do not repeat them.
    ///   - example: a value for the OpenAPI document.
    ///   - messages: the messages of invalid values, for translators.
    ///   - check: checks a value. A client's `null` arrives as an empty text. The service calls it on an event loop: it must not
    ///     block.
    public init(
        _ name: String,
        maximumLength: Int = ValueSchema.usualMaximumLength,
        isSecret: Bool = false,
        example: String? = nil,
        messages: [Message] = [],
        check: @escaping @Sendable (String) -> Outcome
    ) {
        self.name = name
        self.maximumLength = maximumLength
        self.isSecret = isSecret
        self.example = example
        self.messages = messages
        self.check = check
    }

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

    package var value: Value {
        var value: Value.Object = [
            "rule": .string(name), "maxLength": Value(maximumLength), "secret": .boolean(isSecret),
        ]
        value["example"] = example.map(Value.string)
        return .object(value)
    }
}
