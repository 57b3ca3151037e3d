import Accounts

/// Leaves mails in the outbox in memory, for a demonstration or a test.
struct MemoryMailer: Mailer {
    /// Whether the subject of each mail, which contains its code, is printed.
    let prints: Bool

    func send(_ mail: Mail) {
        if prints { Terminal.print("Mail to \(mail.recipient.printable): \(mail.subject.printable)") }
    }
}
