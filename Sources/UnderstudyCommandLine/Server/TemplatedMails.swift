import Accounts
import BusinessLogic
import HTMLPages
import Synchronization

/// Writes the mails to users with the texts of the program, and links to its pages.
final class TemplatedMails: MailWriting {
    private let templates: Mutex<MailTemplates>
    private let address: Mutex<String?>

    /// - Parameter address: the address of the service for clients, with the prefix of its paths; `nil` if it is not known yet.
    init(_ templates: MailTemplates, address: String?) {
        self.templates = Mutex(templates)
        self.address = Mutex(address)
    }

    /// Writes mails with the templates of another object from now on.
    func useTemplates(of other: TemplatedMails) {
        let templates = other.templates.withLock { $0 }
        self.templates.withLock { $0 = templates }
    }

    /// Sets the address of the service, unless it is known.
    func setAddress(_ url: String) {
        address.withLock { $0 = $0 ?? url }
    }

    func mail(_ content: MailContent, to recipient: String, language: String?, expires: Timestamp?) -> Mail {
        let written = templates.withLock { $0 }.content(
            of: content.name,
            code: content.code,
            link: link(content),
            language: language
        )
        return Mail(
            recipient: recipient,
            subject: written.subject,
            text: written.text,
            html: written.html,
            expires: expires
        )
    }

    /// A link that fills the code in. The request of a browser never decides where it leads.
    private func link(_ content: MailContent) -> String? {
        guard let code = content.code, let page = content.page, let address = address.withLock({ $0 }) else {
            return nil
        }
        return "\(address)/\(page)?code=\(code)"
    }
}
