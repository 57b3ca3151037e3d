import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI
import UnderstudyPages

extension Route {
    /// `GET /validate`: lists the rules.
    static let showRules = Route(
        .get,
        "/validate",
        describe: { rules in
            ServiceOperation(
                "showRules",
                .rules,
                "List the rules",
                "Returns the rules against which `POST /validate` and `POST /validate/{rule}` check values.",
                success: (
                    200,
                    ServiceOperation.answer(
                        "The rules.",
                        "application/json",
                        .schema("RuleList"),
                        example: ["rules": .array(rules.map(\.value))]
                    )
                ),
                errors: [.malformedRequest, .internalError]
            )
        }
    ) { service, _ in .json(["rules": .array(service.rules.map(\.value))]) }
}

extension ValidationRule {
    /// The rule as `GET /validate` describes it.
    var value: Value {
        var value: Value.Object = [
            "rule": .string(name), "maxLength": Value(maximumLength), "secret": .boolean(isSecret),
        ]
        if let example { value["example"] = .string(example) }
        return .object(value)
    }
}
