import BusinessLogic
import UnderstudyPages

/// An error response in the document: the problem codes that an operation can return with one status.
struct ErrorResponse {
    let name: String
    private let codes: [Problem.Code]
    private let headers: [String]

    /// All error responses, by ascending status.
    static var all: [ErrorResponse] {
        DocumentTemplate.part("responses").map { name, response in
            ErrorResponse(
                name: name,
                codes: (response["codes"]?.array ?? []).compactMap { $0.string.flatMap(Problem.Code.init) },
                headers: ["Content-Language", "Vary"] + (response["headers"]?.array ?? []).compactMap(\.string)
            )
        }
    }

    /// The response as a component of the document.
    ///
    /// - Parameter prefix: the service's path prefix.
    func value(below prefix: PathPrefix) -> Value {
        var examples: Value.Object = [:]
        for code in codes {
            var members = DocumentTemplate.part("problems")[code.rawValue]?.object ?? [:]
            let detail = members["detail"]?.string
            members["detail"] = nil
            let problem = Problem(code, detail, members: members)
            examples[code.rawValue] = [
                "summary": .string("\(code.title)."), "value": problem.body(id: "0f8c2b1e9d774a35", below: prefix),
            ]
        }
        var headers: Value.Object = [:]
        for name in self.headers { headers[name] = .reference("headers", name) }
        return [
            "description": .string(description),
            "headers": .object(headers),
            "content": ["application/problem+json": ["schema": .schema("Problem"), "examples": .object(examples)]],
        ]
    }

    private var description: String {
        if codes.count == 1 { return "\(codes[0].title) (`\(codes[0].rawValue)`). \(codes[0].explanation)" }
        return "One of:\n\n"
            + codes.map { "- `\($0.rawValue)`: \($0.title). \($0.explanation)" }.joined(separator: "\n")
    }
}

extension Problem {
    /// The description of ``Code``, with all codes.
    static let codesDescription =
        "The code of the error. Codes never change, and later versions may add some:\n\n"
        + Code.allCases.map { "- `\($0.rawValue)` (\($0.status)): \($0.title)." }.joined(separator: "\n")
            + """


            Paths and methods that this document does not list get `unknownPage` and `methodNotAllowed`.
            """
}
