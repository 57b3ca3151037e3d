import BundledPages
import Foundation
import HTTPMessages
import Understudy

/// The rules of Understudy's pages, which a service in this process applies.
struct Rules {
    private let service = UnderstudyService(pages: Page.bundled())

    /// A value, and the rule that it must conform to.
    struct Check: Encodable {
        let rule: String
        let value: String
    }

    /// The result of a check.
    struct Result: Decodable {
        let valid: Bool
        let normalised: String?
        let message: String?
    }

    private struct Question: Encodable { let checks: [Check] }
    private struct Answer: Decodable { let results: [Result] }

    /// The results of the checks, in their order.
    func results(of checks: [Check]) async throws -> [Result] {
        let response = await service.respond(
            to: Request(
                .post,
                "/validate",
                headers: ["Content-Type": "application/json"],
                body: Array(try JSONEncoder().encode(Question(checks: checks)))
            )
        )
        return try JSONDecoder().decode(Answer.self, from: Data(response.body)).results
    }
}
