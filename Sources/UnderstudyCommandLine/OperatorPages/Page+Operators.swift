import BusinessLogic
import UnderstudyPages

extension Page {
    /// The pages for operators: `login`, `home`, `accounts`, `accountDetails`, `sessions`, `sessionDetails` and `mails`.
    ///
    /// Serve them on a port that only operators can reach. All but `login` need an operator who has logged in with a token.
    ///
    /// Without a database, there are no pages for stored accounts and mails.
    static func operators(_ access: OperatorAccess) -> [Page] {
        let always = [
            Page("login") { OperatorLoginController(access: access, identity: $0.identity) },
            Page("home") { OverviewController(access: access, identity: $0.identity) },
            Page("sessions") { SessionsController(access: access, identity: $0.identity) },
            Page("sessionDetails") { SessionDetailsController(access: access, identity: $0.identity) },
        ]
        guard access.administration.store != nil else { return always }
        return always + [
            Page("accounts") { AccountsController(access: access, identity: $0.identity) },
            Page("accountDetails") { AccountDetailsController(access: access, identity: $0.identity) },
            Page("mails") { MailsController(access: access, identity: $0.identity) },
        ]
    }
}
