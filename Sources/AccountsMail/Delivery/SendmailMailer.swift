internal import Accounts
internal import BusinessLogic

/// Gives mails to a local mail server by its program `sendmail`, which Exim, msmtp, Postfix and others have.
final class SendmailMailer: Mailer {
    private let program: String
    private let timeout: Duration
    private let sender: MailAddress
    private let clock: any WallClock
    private let threads: MailThreads

    /// Starts the threads that wait for the program.
    ///
    /// - Parameters:
    ///   - program: the absolute path.
    ///   - timeout: how long the program may run.
    ///   - clock: gives the `Date` of the mails.
    init(
        _ program: String,
        timeout: Duration,
        from sender: MailAddress,
        clock: any WallClock
    ) throws(MailSettingError) {
        self.program = program
        self.timeout = timeout
        self.sender = sender
        self.clock = clock
        threads = try MailThreads()
    }

    func send(_ mail: Mail) async throws(MailError) {
        let message = try MailMessage(mail, from: sender, at: clock.now)
        // A line that consists of a dot does not end the mail (-i), and no address is an option (--).
        let arguments = ["-i", "-f", message.sender, "--", message.recipient]
        // Such programs read lines that end as in files of Unix.
        let input = message.bytes.filter { $0 != UInt8(ascii: "\r") }
        let (program, timeout) = (program, timeout)
        try await threads.run { cancellation throws(MailError) in
            let deadline = ContinuousClock.now + timeout
            let status = try SendmailProcess.run(program, arguments, input: input, until: deadline, cancellation)
            try Self.check(status)
        }
    }

    /// - Parameter status: one of sysexits.h.
    private static func check(_ status: Int32) throws(MailError) {
        let reason = "the program for mails ends with status \(status)"
        switch status {
        case 0: return
        // The mail is malformed, or its recipient or the recipient's mail server does not exist.
        case 65, 67, 68: throw .permanent(reason)
        // 75 asks to try again. An operator can repair all others.
        default: throw .temporary(reason)
        }
    }
}
