import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI
import UnderstudyPages

extension Route {
    /// `GET /problems/CODE`: explains a problem in plain text.
    static let explainProblem = Route(
        .get,
        "/problems/{code}",
        operation: ServiceOperation(
            "explainProblem",
            .service,
            "Explain an error",
            """
            Returns what the error means, when it occurs and what to do about it. The member `type` of an error is the \
            path of its explanation.
            """,
            parameters: [
                [
                    "name": "code",
                    "in": "path",
                    "required": true,
                    "description": "The code of the error.",
                    "schema": ["type": "string"],
                    "example": "missingField",
                ]
            ],
            success: (200, ServiceOperation.answer("The explanation as plain text.", ServiceOperation.text)),
            errors: [.malformedRequest, .unknownProblem]
        )
    ) { service, request in
        let path = service.configuration.pathPrefix.local(request.path) ?? ""
        let name = String(path.utf8.dropFirst("/problems/".utf8.count)) ?? ""
        guard let code = Problem.Code.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
            throw Problem(
                .unknownProblem,
                members: ["codes": .array(Problem.Code.allCases.map { .string($0.rawValue) })]
            )
        }
        return .text("\(code.rawValue) (HTTP status \(code.status)): \(code.title).\n\n\(code.explanation)\n")
    }
}
