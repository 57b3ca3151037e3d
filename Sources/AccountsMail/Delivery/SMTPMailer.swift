internal import Accounts
internal import BusinessLogic

/// Gives mails to an SMTP server (RFC 5321, RFC 6409), each in a connection of its own.
final class SMTPMailer: Mailer {
    private let server: MailServer
    private let sender: MailAddress
    private let clock: any WallClock
    private let threads: MailThreads

    /// Starts the threads that send.
    ///
    /// - Parameter clock: gives the `Date` of the mails.
    init(_ server: MailServer, from sender: MailAddress, clock: any WallClock) throws(MailSettingError) {
        self.server = server
        self.sender = sender
        self.clock = clock
        threads = try MailThreads()
    }

    func send(_ mail: Mail) async throws(MailError) {
        let message = try MailMessage(mail, from: sender, at: clock.now)
        let (server, domain) = (server, String(sender.domain))
        try await threads.run { cancellation throws(MailError) in
            try SMTPTransfer(message, server, cancellation).perform(as: domain)
        }
    }
}
