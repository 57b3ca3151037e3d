import BusinessLogic
import UnderstudyPages

/// An error response in the document: the problem codes that an operation can return with one status.
struct ErrorResponse {
    let name: String
    let codes: [Problem.Code]

    /// All error responses, by ascending status.
    static var all: [ErrorResponse] {
        DocumentTemplate.part("responses").map { name, codes in
            ErrorResponse(name: name, codes: (codes.array ?? []).compactMap { $0.string.flatMap(Problem.Code.init) })
        }
    }

    /// The response as a component of the document.
    ///
    /// - Parameter prefix: the service's path prefix.
    func value(below prefix: PathPrefix) -> Value {
        var examples: Value.Object = [:]
        for code in codes {
            examples[code.rawValue] = [
                "summary": .string("\(code.title)."),
                "value": Problem.example(code).body(id: "0f8c2b1e9d774a35", below: prefix),
            ]
        }
        return [
            "description": .string(description),
            "headers": .object(DocumentTemplate.headerReferences(headers)),
            "content": ["application/problem+json": ["schema": .schema("Problem"), "examples": .object(examples)]],
        ]
    }

    private var description: String {
        if codes.count == 1 { return "\(codes[0].title) (`\(codes[0].rawValue)`). \(codes[0].explanation)" }
        return "One of:\n\n"
            + codes.map { "- `\($0.rawValue)`: \($0.title). \($0.explanation)" }.joined(separator: "\n")
    }

    private var headers: [String] {
        let texts = ["Content-Language", "Vary"]
        return switch codes.first?.status {
        case 401: texts + ["WWW-Authenticate"]
        case 429: texts + ["Retry-After", "RateLimit-Policy", "RateLimit"]
        case 503: texts + ["Retry-After"]
        default: name == "FailedEvent" ? texts + ["Idempotency-Replayed"] : texts
        }
    }
}
