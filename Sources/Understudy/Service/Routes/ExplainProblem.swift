import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /problems/CODE`: explains a problem in plain text.
    func explainProblem(_ request: Request) throws -> Response {
        let path = configuration.pathPrefix.local(request.path) ?? ""
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
