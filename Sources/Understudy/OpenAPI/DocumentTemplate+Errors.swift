import BusinessLogic
import UnderstudyPages

extension DocumentTemplate {
    /// The error responses as components of the document, by ascending status: each with the problem codes that an operation can return with
    /// that status.
    static func errorResponses(below prefix: PathPrefix) -> Value.Object {
        var responses: Value.Object = [:]
        for (name, response) in part("responses") {
            let codes = (response["codes"]?.array ?? []).compactMap { $0.string.flatMap(Problem.Code.init) }
            let headers = ["Content-Language", "Vary"] + (response["headers"]?.array ?? []).compactMap(\.string)
            let content: Value = [
                "schema": .schema("Problem"), "examples": .object(examples(of: codes, below: prefix)),
            ]
            responses[name] = [
                "description": .string(description(of: codes)),
                "headers": .object(Value.Object(headers.map { ($0, .reference("headers", $0)) })),
                "content": ["application/problem+json": content],
            ]
        }
        return responses
    }

    private static func examples(of codes: [Problem.Code], below prefix: PathPrefix) -> Value.Object {
        Value.Object(
            codes.map { code in
                var members = part("problems")[code.rawValue]?.object ?? [:]
                let detail = members["detail"].take()?.string
                let body = Problem(code, detail, members: members).body(id: "0f8c2b1e9d774a35", below: prefix)
                return (code.rawValue, ["summary": "\(code.title).", "value": body])
            }
        )
    }

    private static func description(of codes: [Problem.Code]) -> String {
        if codes.count == 1 { return "\(codes[0].title) (`\(codes[0].rawValue)`). \(codes[0].explanation)" }
        return "One of:\n\n"
            + codes.map { "- `\($0.rawValue)`: \($0.title). \($0.explanation)" }.joined(separator: "\n")
    }
}

extension Problem {
    static let codesDescription =
        "The code of the error. Codes never change, and later versions may add some:\n\n"
        + Code.allCases.map { "- `\($0.rawValue)` (\($0.status)): \($0.title)." }.joined(separator: "\n")
            + """


            Paths and methods that this document does not list get `unknownPage` and `methodNotAllowed`.
            """
}
