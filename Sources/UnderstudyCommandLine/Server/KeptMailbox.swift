package import Accounts
import BundledControllers
package import Understudy

/// Shows the mails of a demonstration.
struct KeptMailbox: Mailbox {
    let outbox: MemoryOutbox

    func mails() -> [MailboxEntry] {
        outbox.added.reversed().prefix(Self.maximumMails).map { mail, time in
            MailboxEntry(recipient: mail.recipient, subject: mail.subject, text: mail.text, sent: time)
        }
    }

    /// The maximum number of mails that are shown, so that a session that shows them stays small.
    private static let maximumMails = 20
}

extension MemoryOutbox: TestMailbox {
    package var testMails: [TestMail] {
        added.map {
            TestMail(recipient: $0.mail.recipient, subject: $0.mail.subject, text: $0.mail.text, sent: $0.time)
        }
    }
}
