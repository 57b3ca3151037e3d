import Hummingbird

/// The body of an event, with the values of its fields.
struct Event<Values: Decodable>: Decodable {
    let event: String
    let values: Values
}

/// The fields of the login page.
struct Credentials: Decodable {
    let username: String
    let password: String
}

/// The field of the registration page.
struct UserID: Decodable {
    let userID: String
}

/// The answer to `POST /session`.
struct SessionCreated: ResponseEncodable {
    let token: String
}

/// The response to an event: the commands for the screen.
struct Answer: ResponseEncodable {
    let sequence: Int
    let ok: Bool
    let commands: [Command]
    let errors: [Problem]?
}

/// A message that reports an error.
struct Problem: Encodable {
    let message: String
    let code: String
}

/// One call that the login logic made on its screen. A member that a command does not have is left out of the JSON.
struct Command: Encodable {
    var sequence = 0
    let page: String
    let command: String
    var name: String?
    var key: String?
    var value: String??
    var message: String?
    var code: String?
}

/// What is kept of one client.
struct Session {
    static let allowedFailures = 5
    static let lockout = Duration.seconds(15 * 60)
    static let idleLimit = Duration.seconds(30 * 60)

    var sequence = 0
    var failures = 0
    var lastFailure: ContinuousClock.Instant?
    var lastUsed = ContinuousClock.now
    var userID: String?

    /// Runs the login rule: five wrong attempts lock the page for a quarter of an hour, a right one counts anew.
    mutating func login(_ credentials: Credentials) -> Answer {
        if let lastFailure, lastUsed - lastFailure >= Self.lockout {
            failures = 0
        }
        guard failures < Self.allowedFailures else {
            let problem = Problem(
                message: "You have exceeded the maximum number of attempts, please try after sometime.",
                code: "login.tooManyAttempts"
            )
            return answer(
                Command(page: "login", command: "showAlert", message: problem.message, code: problem.code),
                problem: problem
            )
        }
        guard credentials.username == "batman", credentials.password == "bruce" else {
            failures += 1
            lastFailure = lastUsed
            let problem = Problem(message: "Wrong username or password", code: "login.wrongCredentials")
            return answer(
                Command(page: "login", command: "render", key: "message", value: problem.message, code: problem.code),
                problem: problem
            )
        }
        failures = 0
        return answer(Command(page: "login", command: "goToPage", name: "Home"))
    }

    /// Removes all white space from the user ID, and accepts twelve digits.
    mutating func register(_ values: UserID) -> Answer {
        let normalised = String(values.userID.filter { !$0.isWhitespace })
        guard normalised.utf8.count == 12, normalised.utf8.allSatisfy({ (48...57).contains($0) }) else {
            let (message, code) = ("Invalid user ID", "registration.invalidUserID")
            return answer(
                Command(page: "register", command: "render", key: "userID", value: .some(nil)),
                Command(page: "register", command: "render", key: "errorMessage", value: message, code: code),
                problem: Problem(message: message, code: code)
            )
        }
        userID = normalised
        return answer(
            Command(page: "register", command: "render", key: "userID", value: normalised),
            Command(page: "register", command: "render", key: "errorMessage", value: .some(nil))
        )
    }

    private mutating func answer(_ commands: Command..., problem: Problem? = nil) -> Answer {
        let numbered = commands.map { command in
            var command = command
            sequence += 1
            command.sequence = sequence
            return command
        }
        return Answer(sequence: sequence, ok: problem == nil, commands: numbered, errors: problem.map { [$0] })
    }
}
