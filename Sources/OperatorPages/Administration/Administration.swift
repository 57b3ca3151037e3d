package import BusinessLogic

/// What operators see and change. Whatever it does, a command does as well.
///
/// Its functions may be called from any number of tasks at the same time.
package protocol Administration: Sendable {
    /// Checks the token of an operator.
    ///
    /// - Parameters:
    ///   - token: what the operator entered.
    ///   - name: what the operator wants to be called in the audit log.
    /// - Returns: the operator as the user of the session; `nil` if the token is wrong.
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` after too many wrong tokens of an address.
    func logIn(token: String, as name: String, for client: ClientContext) async throws -> User?

    /// Whether the token with which the operator has logged in still applies.
    func isLoggedIn(_ operator: User) async throws -> Bool

    /// How the server is.
    func overview() async throws -> Overview

    /// Accounts in the order of their usernames.
    ///
    /// - Parameters:
    ///   - search: what the username, the email address or the ID contains, in any case; empty for all accounts.
    ///   - last: the ``AccountSummary/key`` after which the list begins; `nil` for its start.
    ///   - limit: the maximum number of accounts.
    func accounts(_ search: String, after last: [UInt8]?, limit: Int) async throws -> [AccountSummary]

    /// The account with a username, an email address or an ID; `nil` if there is no such account.
    func account(_ name: String) async throws -> ShownAccount?

    /// Changes the account with this ID, and records it.
    func change(_ account: String, _ change: AccountAction, by operator: ClientContext) async throws -> ChangeResult

    /// Sessions in the order in which they were started.
    ///
    /// - Parameters:
    ///   - selection: which sessions.
    ///   - last: the number of the session after which the list begins; 0 for its start.
    ///   - limit: the maximum number of sessions.
    /// - Throws: ``InvalidSelection`` if no session can be selected.
    func sessions(_ selection: SelectedSessions, after last: Int, limit: Int) async throws -> [SessionSummary]

    /// The session with an ID of eight digits, without secrets; `nil` if there is no such session.
    func session(_ id: String) async throws -> SessionDetails?

    /// The session with an ID of eight digits as `understudy session show --json` prints it; `nil` if there is no such session.
    func sessionAsJSON(_ id: String) async throws -> String?

    /// Ends a session on all servers, and records it.
    ///
    /// - Returns: `false` if there is no such session.
    func endSession(_ id: String, by operator: ClientContext) async throws -> Bool

    /// Mails that wait or have failed, in the order in which they were added.
    ///
    /// - Parameters:
    ///   - last: the number of the mail after which the list begins; 0 for its start.
    ///   - limit: the maximum number of mails.
    func mails(after last: Int, limit: Int) async throws -> [MailSummary]

    /// Has a mail sent again, and records it.
    ///
    /// - Returns: `false` if it cannot be sent, because it has expired, is being sent or does not exist.
    func retryMail(_ id: String, by operator: ClientContext) async throws -> Bool

    /// Deletes a mail without sending it, and records it.
    ///
    /// - Returns: `false` if there is no such mail.
    func discardMail(_ id: String, by operator: ClientContext) async throws -> Bool
}

/// What an operator changes in an account.
package enum AccountAction: Equatable, Sendable {
    case disable
    case enable
    /// Reset the counts of failed logins.
    case unlock
    /// End all sessions and forget all devices.
    case endSessions
    /// Note something for support; an empty text removes the note.
    case note(String)
    case addRole(String)
    case removeRole(String)
    /// Give it another name for logging in.
    case rename(String)
    case changeEmail(String)
    case delete
}

/// What has become of a change.
package enum ChangeResult: Equatable, Sendable {
    case changed
    /// The account was as it should be.
    case unchanged
    /// There is no such account.
    case unknown
    /// The change is not possible, for this reason.
    case rejected(String)
}

/// Which sessions a list contains.
package struct SelectedSessions: Codable, Equatable, Sendable {
    /// The username, the email address or the ID of an account; empty for all sessions.
    package var account = ""
    /// The IP address from which a session without a logged-in user was started; empty for all sessions.
    package var address = ""

    package init(account: String = "", address: String = "") {
        (self.account, self.address) = (account, address)
    }
}

/// The reason why a selection of sessions selects nothing: there is no such account, or a text is not an IP address.
package enum InvalidSelection: Error {
    case account
    case address
}
