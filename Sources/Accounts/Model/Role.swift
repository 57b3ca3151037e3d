/// The rules for roles, which operators give to accounts and pages read.
package enum Role {
    /// The maximum number of characters of a role.
    package static let maximumLength = 64
    package static let maximumCount = 32

    /// Whether a text can be a role: it has ASCII letters, digits, `.`, `_`, `:` and `-`, and begins with a letter.
    package static func isValid(_ role: String) -> Bool {
        role.utf8.count <= maximumLength && role.wholeMatch(of: /[A-Za-z][A-Za-z0-9._:\-]*/) != nil
    }

    package static func check(_ roles: [String]) throws(RoleError) {
        if let invalid = roles.first(where: { !isValid($0) }) { throw .invalid(invalid) }
        guard roles.count <= maximumCount else { throw .tooMany }
    }

    /// The roles in their order, each once.
    package static func sorted(_ roles: some Sequence<String>) -> [String] { Set(roles).sorted() }
}

/// The error for roles that an account cannot have.
public enum RoleError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text cannot be a role.
    case invalid(String)
    /// The account would have more than 32 roles.
    case tooMany

    public var description: String {
        switch self {
        case .invalid(let role):
            """
            '\(role)' cannot be a role: expected 1 to \(Role.maximumLength) letters, digits, '.', '_', ':' and '-', beginning with a \
            letter
            """
        case .tooMany: "an account can have at most \(Role.maximumCount) roles"
        }
    }
}
