import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI
import UnderstudyPages

extension Route {
    /// `POST /validate/{rule}`: checks one value against a rule, without a session.
    static let validateValue = Route(
        .post,
        "/validate/{rule}",
        describe: { rules in
            let example = rules.first { $0.example != nil }
            return ServiceOperation(
                "validateValue",
                .rules,
                "Check one value",
                """
                Checks a value against a rule of the pages, without a session. Nothing is stored or logged. The body may \
                also be a form with a field `value`: `curl -d value=VALUE …/validate/RULE`.
                """,
                parameters: [
                    [
                        "name": "rule",
                        "in": "path",
                        "required": true,
                        "description": "The name of the rule. `GET /validate` lists all rules.",
                        "schema": WireSchema.ruleName(rules),
                    ]
                ],
                requestBody: [
                    "description": "The value.",
                    "required": true,
                    "content": ["application/json": ["schema": .schema("ValueToCheck")]],
                ],
                success: (
                    200,
                    ServiceOperation.answer(
                        "The result.",
                        "application/json",
                        .schema("CheckResult"),
                        example: example.map { $0.result(of: $0.example ?? "") },
                        headers: ResponseHeader.ofTexts
                    )
                ),
                errors: [
                    .invalidChecks, .crossSite, .bodyTooLarge, .unsupportedMediaType, .unknownRule, .internalError,
                ]
            )
        }
    ) { try $0.validateValue($1) }
}

extension UnderstudyService {
    /// `POST /validate/{rule}`: checks one value against a rule, without a session. Logs and records nothing.
    func validateValue(_ request: Request) throws -> Response {
        let path = configuration.pathPrefix.local(request.path) ?? ""
        let name = String(path.utf8.dropFirst("/validate/".utf8.count)) ?? ""
        let submission = try Submission(request)
        guard submission.event == nil, submission.values.count == 1, let value = submission.values["value"],
            value == .null || value.string != nil
        else {
            throw Problem(
                .malformedBody,
                "The body must contain only 'value', which is a string or null: curl -d value=012345678912",
                members: ["pointer": "/value"]
            )
        }
        let language = languages?[request.headers]
        let result = try ValidationCheck(value.string ?? "", rule: name, rules: rules, at: "/value")
            .result(language?.context ?? context)
        return .json(result, common: result.isInvalid ? language?.headers : nil)
    }
}
