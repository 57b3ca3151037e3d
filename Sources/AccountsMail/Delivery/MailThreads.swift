internal import Accounts
internal import Glibc
internal import Synchronization

/// Threads that give mails to a mail server and wait for it, so that no thread of Swift's does.
final class MailThreads: Sendable {
    /// How many mails are given to the mail server at the same time.
    private static let count = 4
    /// How many more mails may wait for a thread.
    private static let maximumWaiting = 64

    private let threads: WorkerThreads

    /// Starts the threads.
    init() throws(MailSettingError) {
        do throws(PasswordHasherError) {
            threads = try WorkerThreads(count: Self.count, maximumWaiting: Self.maximumWaiting, name: "mails")
        } catch {
            switch error {
            case .cannotStart(let reason): throw MailSettingError("cannot start the threads that send mails: \(reason)")
            }
        }
    }

    deinit {
        threads.close()
    }

    /// Runs the work on one of the threads.
    ///
    /// - Parameter work: returns soon after the task has been cancelled, which it learns from its argument.
    func run(_ work: @escaping @Sendable (MailCancellation) throws(MailError) -> Void) async throws(MailError) {
        let cancellation = MailCancellation()
        do {
            try await withTaskCancellationHandler {
                try await threads.run {
                    blockBrokenPipes()
                    try work(cancellation)
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
