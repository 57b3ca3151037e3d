import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `POST /validate`: checks values against rules, without a session. Logs and records nothing.
    func validate(_ request: Request) throws -> Response {
        let checks = try ValidationCheck.all(in: request, rules: rules)
        let language = languages?[request.headers]
        let results = checks.map { $0.result(language?.context ?? context) }
        let common = results.contains { $0.isInvalid } ? language?.headers : nil
        return .json(["results": .array(results)], common: common)
    }

    /// `POST /validate/{rule}`: checks one value against a rule, without a session. Logs and records nothing.
    func validateValue(_ request: Request) throws -> Response {
        let path = configuration.pathPrefix.local(request.path) ?? ""
        let name = String(path.utf8.dropFirst("/validate/".utf8.count)) ?? ""
        let submission = try Submission(request)
        guard submission.event == nil, submission.values.count == 1, let value = submission.values["value"],
            value == .null || value.string != nil
        else {
            throw Problem.malformedBody(
                "The body must contain only 'value', which is a string or null: curl -d value=012345678912",
                at: "/value"
            )
        }
        let language = languages?[request.headers]
        let result = try ValidationCheck(value.string ?? "", rule: name, rules: rules, at: "/value")
            .result(language?.context ?? context)
        return .json(result, common: result.isInvalid ? language?.headers : nil)
    }
}

struct ValidationCheck {
    let rule: ValidationRule
    let value: String

    static func all(in request: Request, rules: [ValidationRule]) throws(Problem) -> [ValidationCheck] {
        guard let body = try Submission.jsonObject(request), let checks = body["checks"]?.array, body.count == 1 else {
            throw .malformedBody("The body must be an object with one member: 'checks', an array.", at: "/checks")
        }
        guard checks.count <= ValidationRule.maximumChecks else {
            throw .malformedBody(
                "A request may contain at most \(ValidationRule.maximumChecks) checks.",
                at: "/checks/\(ValidationRule.maximumChecks)"
            )
        }
        return try checks.enumerated().map { index, check throws(Problem) in
            try ValidationCheck(check, at: "/checks/\(index)", rules: rules)
        }
    }

    private init(_ check: Value, at pointer: String, rules: [ValidationRule]) throws(Problem) {
        guard let object = check.object, object.count == 2, let name = object["rule"]?.string else {
            throw .malformedBody("A check has a rule, which is a string, and a value.", at: pointer)
        }
        guard let value = object["value"], value == .null || value.string != nil else {
            throw .malformedBody("The value to check is a string or null.", at: pointer + "/value")
        }
        try self.init(value.string ?? "", rule: name, rules: rules, at: pointer + "/value", ruleAt: pointer + "/rule")
    }

    /// The pointers are the locations of the value and of the rule's name in the request's body, the latter `nil` if it is not there.
    ///
    /// - Throws: ``Problem`` if there is no such rule, or if the value is too long or contains U+0000.
    init(
        _ value: String,
        rule name: String,
        rules: [ValidationRule],
        at pointer: String,
        ruleAt rulePointer: String? = nil
    ) throws(Problem) {
        guard let rule = rules.first(where: { $0.name.hasSameBytes(as: name) }) else {
            var members: Value.Object = [:]
            if let rulePointer { members["pointer"] = .string(rulePointer) }
            members["rules"] = .array(rules.map { .string($0.name) })
            throw Problem(.unknownRule, "There is no rule '\(name.clipped)'.", members: members)
        }
        if value.isLonger(than: rule.maximumLength) {
            throw Problem(
                .valueTooLong,
                "A value for the rule '\(name)' may have at most \(rule.maximumLength) characters.",
                members: ["pointer": .string(pointer), "maximum": Value(rule.maximumLength)]
            )
        }
        if value.containsNUL {
            throw Problem(
                .wrongFieldType,
                "A value for the rule '\(name)' must be a text without U+0000.",
                members: ["pointer": .string(pointer), "expected": "string", "format": "text without U+0000"]
            )
        }
        self.rule = rule
        self.value = value
    }

    func result(_ context: ResponseContext) -> Value { rule.result(of: value, context) }
}

extension Value {
    var isInvalid: Bool { object?["valid"] == false }
}
