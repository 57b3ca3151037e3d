internal import Accounts
internal import BusinessLogic

/// Gives mails to an SMTP server (RFC 5321, RFC 6409), each in a connection of its own.
final class SMTPMailer: Mailer {
    private let server: SMTPServer
    private let timeouts: MailTimeouts
    private let sender: MailAddress
    private let clock: any WallClock
    private let threads: MailThreads

    /// Starts the threads that send.
    ///
    /// - Parameter clock: gives the `Date` of the mails.
    init(
        _ server: SMTPServer,
        _ timeouts: MailTimeouts,
        from sender: MailAddress,
        clock: any WallClock
    ) throws(MailSettingError) {
        self.server = server
        self.timeouts = timeouts
        self.sender = sender
        self.clock = clock
        threads = try MailThreads()
    }

    func send(_ mail: Mail) async throws(MailError) {
        let message = try MailMessage(mail, from: sender, at: clock.now)
        let (server, timeouts, domain) = (server, timeouts, String(sender.domain))
        try await threads.run { cancellation throws(MailError) in
            let transfer = SMTPTransfer(message, timeouts, cancellation)
            try transfer.perform(server, as: domain)
        }
    }
}
