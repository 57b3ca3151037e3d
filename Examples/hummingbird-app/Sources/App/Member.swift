import Hummingbird

/// Somebody who wants to be a member.
struct Member: Equatable, ResponseCodable {
    var userID: String
    var email: String

    /// The member as they are kept: with a user ID of twelve digits.
    ///
    /// - Throws: `HTTPError`, which says what the rules object to.
    func checked(by rules: Rules) async throws -> Member {
        let results = try await rules.results(of: [
            Rules.Check(rule: "userID", value: userID), Rules.Check(rule: "email", value: email),
        ])
        let objections = results.compactMap(\.message)
        guard objections.isEmpty else {
            throw HTTPError(.unprocessableContent, message: objections.joined(separator: ". "))
        }
        return Member(userID: results.first?.normalised ?? userID, email: email)
    }
}
