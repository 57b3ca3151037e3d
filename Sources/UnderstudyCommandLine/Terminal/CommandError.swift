import BusinessLogic
import FoundationEssentials
import Glibc

/// An error that is printed for a person as one line.
struct CommandError: Error, Equatable, CustomStringConvertible {
    let description: String
    /// The exit status of the command.
    let status: Int32

    init(_ description: String, status: Int32 = 1) {
        self.description = description
        self.status = status
    }

    static func unknownAccount(_ name: String) -> CommandError {
        CommandError("There is no account '\(name)'.")
    }
}

extension Error {
    /// Why Foundation could not read or write a file, without its path.
    var systemReason: String {
        let system = (self as? CocoaError)?.underlying as? POSIXError
        return system.map { String(cString: strerror($0.code.rawValue)) } ?? "\(self)"
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
