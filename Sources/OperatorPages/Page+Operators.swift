package import BusinessLogic
package import UnderstudyPages

extension Page {
    /// The pages for operators: `login`, `home`, `accounts`, `accountDetails`, `sessions`, `sessionDetails` and `mails`.
    ///
    /// Serve them on a port that only operators can reach. All but `login` need an operator who has logged in with a token.
    ///
    /// - Parameters:
    ///   - administration: what operators see and change.
    ///   - clock: returns the time, by which open pages show what is new.
    ///   - hasDatabase: whether there are stored accounts and mails. Without them, there are no pages for these.
    package static func operators(
        _ administration: any Administration,
        clock: any WallClock = SystemClock(),
        hasDatabase: Bool = true
    ) -> [Page] {
        let always = [
            Page("login") { OperatorLoginController(administration: administration, identity: $0.identity) },
            Page("home") { OverviewController(administration: administration, identity: $0.identity, clock: clock) },
            Page("sessions") { SessionsController(administration: administration, identity: $0.identity) },
            Page("sessionDetails") {
                SessionDetailsController(administration: administration, identity: $0.identity, clock: clock)
            },
        ]
        guard hasDatabase else { return always }
        return always + [
            Page("accounts") { AccountsController(administration: administration, identity: $0.identity) },
            Page("accountDetails") { AccountDetailsController(administration: administration, identity: $0.identity) },
            Page("mails") { MailsController(administration: administration, identity: $0.identity) },
        ]
    }
}
