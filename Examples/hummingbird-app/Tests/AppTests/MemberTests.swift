import Hummingbird
import Testing

@testable import App

@Test func `a member has a user ID without white space`() async throws {
    let member = Member(userID: " 012345 678912 ", email: "lisa@rules.example")
    #expect(try await member.checked(by: Rules()) == Member(userID: "012345678912", email: "lisa@rules.example"))
}

@Test(arguments: [
    ("012345678912", "lisa@rules", "This is not an email address"),
    ("1", "lisa@rules", "A user ID has exactly twelve digits. This is not an email address"),
])
func `invalid values are rejected with the messages of the rules`(
    userID: String,
    email: String,
    objection: String
) async throws {
    let error = await #expect(throws: HTTPError.self) {
        try await Member(userID: userID, email: email).checked(by: Rules())
    }
    #expect(error?.status == .unprocessableContent)
    #expect(error?.body == objection)
}
