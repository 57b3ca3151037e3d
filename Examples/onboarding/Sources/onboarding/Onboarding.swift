import BusinessLogic

/// What the three pages know about the user.
struct Onboarding: Codable {
    var number: PhoneNumber?
    var code: String?
    var attemptsLeft = 3
    var isConfirmed = false
}

/// Sends codes to telephones.
protocol CodeSending: Sendable {
    /// Returns the code that it has sent.
    func sendCode(to number: PhoneNumber) async throws -> String
    /// Whether the user has entered the code that was sent.
    func isRight(_ code: String, sent: String?) -> Bool
}

extension CodeSending {
    func isRight(_ code: String, sent: String?) -> Bool { code == sent }
}

extension Destination where Values == () {
    static var number: Destination { Destination("number") }
    static var code: Destination { Destination("code") }
    static var profile: Destination { Destination("profile") }
}
