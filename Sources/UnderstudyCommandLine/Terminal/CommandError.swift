import BusinessLogic

/// An error that is printed for a person as one line; the command exits with status 1.
struct CommandError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func unknownAccount(_ name: String) -> CommandError {
        CommandError("There is no account '\(name)'.")
    }
}

extension CollaboratorError {
    /// The line to print; `nil` if the error has already been printed where it occurred.
    var explanation: String? {
        switch self {
        case .unavailable: nil
        case .overloaded, .tooManyRequests: "There is not enough memory to hash a password; lower '--hash-memory'."
        }
    }
}
