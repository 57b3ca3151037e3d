import Hummingbird

/// The body of `POST /login`.
struct Credentials: Decodable {
    let username: String
    let password: String
}

/// The answer to `POST /session`.
struct SessionCreated: ResponseEncodable {
    let token: String
}

/// The answer to `POST /login`: what the screen would have been told.
struct Answer: ResponseEncodable {
    let sequence: Int
    let commands: [Command]
}

/// One call that the login logic made on its screen. A member that a command does not have is left out of the JSON.
struct Command: Encodable {
    var sequence = 0
    var page = "login"
    let command: String
    var name: String?
    var key: String?
    var value: String?
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

    /// Runs the login rule: five wrong attempts lock the page for a quarter of an hour, a right one counts anew.
    mutating func login(_ credentials: Credentials) -> Answer {
        if let lastFailure, lastUsed - lastFailure >= Self.lockout {
            failures = 0
        }
        guard failures < Self.allowedFailures else {
            return answer(
                Command(
                    command: "showAlert",
                    message: "You have exceeded the maximum number of attempts, please try after sometime.",
                    code: "login.tooManyAttempts"
                )
            )
        }
        guard credentials.username == "batman", credentials.password == "bruce" else {
            failures += 1
            lastFailure = lastUsed
            return answer(
                Command(
                    command: "render",
                    key: "message",
                    value: "Wrong username or password",
                    code: "login.wrongCredentials"
                )
            )
        }
        failures = 0
        return answer(Command(command: "goToPage", name: "Home"))
    }

    private mutating func answer(_ command: Command) -> Answer {
        sequence += 1
        var command = command
        command.sequence = sequence
        return Answer(sequence: sequence, commands: [command])
    }
}
