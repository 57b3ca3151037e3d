internal import BusinessLogic
internal import Glibc
internal import Synchronization
internal import ThreadExecutors

/// Gives mails to an SMTP server (RFC 5321, RFC 6409), each in a connection of its own, on a thread that waits for it, so that no thread of
/// Swift's does.
struct SMTPMailer: Mailer {
    let server: MailServer
    let sender: MailAddress
    /// Gives the `Date` of the mails.
    let clock: any WallClock

    func send(_ mail: Mail) async throws(MailError) {
        let message = try MailMessage(mail, from: sender, at: clock.now)
        let (server, domain, cancellation) = (server, String(sender.domain), MailCancellation())
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, MailError>, Never>) in
                let failure = DetachedThread.start("mail") {
                    blockBrokenPipes()
                    let transfer = SMTPTransfer(message, server, cancellation)
                    let result = Result { () throws(MailError) in try transfer.perform(as: domain) }
                    continuation.resume(returning: result)
                }
                guard let failure else { return }
                continuation.resume(returning: .failure(.temporary("no thread can be started: \(failure)")))
            }
        } onCancel: {
            cancellation.cancel()
        }
        try result.get()
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
