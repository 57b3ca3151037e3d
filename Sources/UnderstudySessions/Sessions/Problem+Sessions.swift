package import UnderstudyPages

extension Problem {
    /// The session has ended or got another ID, while the request waited or less than a minute before.
    package static let sessionHasChanged = Problem(
        .notAuthenticated,
        """
        The session has ended, or a login has given it another token. Send the request again with the token or cookie that \
        the login's response contains, or start a new session with POST /session.
        """
    )

    static let otherUser = Problem(
        .notAuthenticated,
        "The session has no user, or another one than 'Session-User' names. The event has not run."
    )

    /// Other requests have changed the session each time before this one could.
    package static let changesTooOften = Problem(
        .overloaded,
        "Other requests change the session at the same time.",
        retryAfter: .seconds(1)
    )

    package static let unknownToken = Problem(
        .notAuthenticated,
        """
        There is no such session: the token is unknown or has expired, or a login has replaced it. \
        POST /session starts a new one.
        """
    )
}
