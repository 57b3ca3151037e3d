import BusinessLogic
import MicroHTTP

extension Route {
    /// `POST /validate`: checks values against rules, without a session.
    static let validate = Route(
        .post,
        "/validate",
        operation: ServiceOperation(
            "validate",
            .rules,
            "Hold values against the rules",
            "The rules that the pages apply, without a session: nothing is kept, and nothing is logged.",
            requestBody: [
                "required": true,
                "content": ["application/json": ["schema": .schema("Checks")]],
            ],
            success: (
                200,
                ServiceOperation.answer(
                    "The results, in the order of the checks.",
                    "application/json",
                    .schema("CheckResults")
                )
            ),
            errors: [
                .invalidChecks, .crossSite, .bodyTooLarge, .unsupportedMediaType, .unknownRule, .internalError,
            ]
        )
    ) { try $0.validate($1) }
}

extension UnderstudyService {
    /// `POST /validate`: checks values against rules, without a session. Logs and records nothing.
    func validate(_ request: Request) throws -> Response {
        let checks = try ValidationCheck.all(in: request, rules: rules)
        return .json(["results": .array(checks.map(\.result))])
    }
}

/// A value with the rule to check it against.
struct ValidationCheck {
    let rule: ValidationRule
    let value: String

    /// The checks in a request.
    ///
    /// - Throws: ``Problem``.
    static func all(in request: Request, rules: [ValidationRule]) throws(Problem) -> [ValidationCheck] {
        guard let body = try Submission.jsonObject(request), let checks = body["checks"]?.array, body.count == 1 else {
            throw malformed("The body must be an object with one member: 'checks', an array.", at: "/checks")
        }
        guard checks.count <= ValidationRule.maximumChecks else {
            throw malformed(
                "A request may contain at most \(ValidationRule.maximumChecks) checks.",
                at: "/checks/\(ValidationRule.maximumChecks)"
            )
        }
        var all: [ValidationCheck] = []
        for (index, check) in checks.enumerated() {
            all.append(try ValidationCheck(check, at: "/checks/\(index)", rules: rules))
        }
        return all
    }

    private init(_ check: Value, at pointer: String, rules: [ValidationRule]) throws(Problem) {
        guard let object = check.object, object.count == 2, let name = object["rule"]?.string else {
            throw Self.malformed("A check has a rule, which is a string, and a value.", at: pointer)
        }
        guard let value = object["value"], value == .null || value.string != nil else {
            throw Self.malformed("The value to check is a string or null.", at: pointer + "/value")
        }
        guard let rule = rules.first(where: { $0.name.hasSameBytes(as: name) }) else {
            throw Problem(
                .unknownRule,
                "There is no rule '\(name.clipped)'.",
                members: [
                    "pointer": .string(pointer + "/rule"),
                    "rules": .array(rules.map { .string($0.name) }),
                ]
            )
        }
        let text = value.string ?? ""
        if text.isLonger(than: rule.maximumLength) {
            throw Problem(
                .valueTooLong,
                "A value for the rule '\(name)' may have at most \(rule.maximumLength) characters.",
                members: ["pointer": .string(pointer + "/value"), "maximum": Value(rule.maximumLength)]
            )
        }
        self.rule = rule
        self.value = text
    }

    /// The result of the check.
    var result: Value { rule.result(of: value) }

    private static func malformed(_ detail: String, at pointer: String) -> Problem {
        Problem(.malformedBody, detail, members: ["pointer": .string(pointer)])
    }
}

extension ValidationRule {
    /// The rule's result for a value, as in a response.
    func result(of value: String) -> Value {
        switch check(value) {
        case .valid(nil): return ["valid": true]
        case .valid(let normalised?): return ["valid": true, "normalised": .string(normalised)]
        case .invalid(let message):
            var result: Value.Object = [
                "valid": false, "code": .string(message.code), "message": .string(message.text),
            ]
            if !message.parameters.isEmpty { result["parameters"] = .object(message.parameters) }
            return .object(result)
        }
    }
}
