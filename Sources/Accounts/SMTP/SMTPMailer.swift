internal import BusinessLogic
internal import Glibc
internal import Synchronization

/// Gives mails to an SMTP server (RFC 5321, RFC 6409), each in a connection of its own, on threads that wait for it, so that no thread of
/// Swift's does.
final class SMTPMailer: Mailer {
    /// How many mails are given to the mail server at the same time.
    private static let threadCount = 4
    /// How many more mails may wait for a thread.
    private static let maximumWaiting = 64

    private let server: MailServer
    private let sender: MailAddress
    private let clock: any WallClock
    private let threads: WorkerThreads

    /// Starts the threads that send.
    ///
    /// - Parameter clock: gives the `Date` of the mails.
    init(_ server: MailServer, from sender: MailAddress, clock: any WallClock) throws(MailSettingError) {
        self.server = server
        self.sender = sender
        self.clock = clock
        do throws(PasswordHasherError) {
            threads = try WorkerThreads(count: Self.threadCount, maximumWaiting: Self.maximumWaiting, name: "mails")
        } catch {
            throw MailSettingError("cannot start the threads that send mails: \(error.reason)")
        }
    }

    deinit {
        threads.close()
    }

    func send(_ mail: Mail) async throws(MailError) {
        let message = try MailMessage(mail, from: sender, at: clock.now)
        let (server, domain, cancellation) = (server, String(sender.domain), MailCancellation())
        do {
            try await withTaskCancellationHandler {
                try await threads.run {
                    blockBrokenPipes()
                    try SMTPTransfer(message, server, cancellation).perform(as: domain)
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch let error as MailError {
            throw error
        } catch is CancellationError {
            throw MailCancellation.error
        } catch {
            throw .temporary("too many mails are being sent")
        }
    }
}

/// Tells a thread that sends a mail that it must stop.
final class MailCancellation: Sendable {
    /// The error of a mail that was cancelled.
    static let error = MailError.temporary("the sending of the mail was cancelled")

    private let flag = Atomic<Bool>(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() {
        flag.store(true, ordering: .relaxed)
    }
}

/// Without this, writing to a connection that the other side has closed would end the process.
private func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}
