/// Somebody who can log in.
public struct User: Equatable, Codable, Sendable {
    /// The name that they log in with.
    public let username: String

    /// A user.
    public init(username: String) {
        self.username = username
    }
}

/// Who is in front of the screens: shared by the controllers of one session.
public protocol Identity: AnyObject {
    /// Who has logged in, if anybody has.
    var user: User? { get set }
}
