import Hummingbird

/// A member, or a user who wants to be a member.
struct Member: Equatable, ResponseCodable {
    var userID: String
    var email: String

    /// The member with a user ID of twelve digits and no white space.
    ///
    /// - Throws: `HTTPError`, with the messages of the rules, if a value is invalid.
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
