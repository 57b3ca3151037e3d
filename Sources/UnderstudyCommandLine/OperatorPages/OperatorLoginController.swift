import BusinessLogic

/// The logic of the page on which an operator logs in with the token of the server.
final class OperatorLoginController: OperatorPage, BusinessLogicController {
    /// What the operator is called in the audit log.
    static let name = Field<String>("operator", minimumLength: 1, maximumLength: 128)
    /// The token in the file that the setting `admin-token-file` names.
    static let token = Field<String>("token", isSecret: true, minimumLength: 1)
    /// Why the login failed.
    static let message = Output<Message?>("message")

    static let events: EventTable<OperatorLoginController> = [
        .default(
            "loginButtonPressed",
            reads: name,
            token,
            gives: [.renders(message, .wrongToken, .invalidOperator), .goes(to: .overview)]
        ) { try await $0.logIn($1, $2) }
    ]

    typealias State = NoState

    private func logIn(_ name: String, _ token: String) async throws {
        let name = name.trimmed
        guard OperatorOptions.isValid(name) else { return render(Self.message, .invalidOperator) }
        guard let user = try await access.logIn(token: token, as: name, for: identity.client) else {
            return render(Self.message, .wrongToken)
        }
        render(Self.message, nil)
        identity.user = user
        goToPage(.overview)
    }
}

extension Message {
    /// The token is another one.
    static let wrongToken = Message(code: "operator.wrongToken", text: "This is not the token of the server")
    /// The name contains control characters, or only spaces.
    static let invalidOperator = Message(
        code: "operator.invalidName",
        text: "Enter your name, without control characters",
        field: "operator"
    )
}

extension Destination where Values == () {
    /// The page on which operators log in.
    static var operatorLogin: Destination { Destination("login") }
    /// The page that shows how the server is.
    static var overview: Destination { Destination("home") }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
        let scalars = unicodeScalars.drop(while: isSpace)
        return String(scalars[..<(scalars.lastIndex { !isSpace($0) }.map(scalars.index(after:)) ?? scalars.startIndex)])
    }
}
