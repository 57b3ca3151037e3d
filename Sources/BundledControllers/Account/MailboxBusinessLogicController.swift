public import BusinessLogic

/// Keeps the mails of a demonstration.
public protocol Mailbox: Sendable {
    /// The mails, most recent first.
    func mails() async throws -> [MailboxEntry]
}

/// A mail of a demonstration.
public struct MailboxEntry: Codable, Equatable, Sendable, ObjectValue {
    /// The address of the recipient.
    public let recipient: String
    /// The subject.
    public let subject: String
    /// The text.
    public let text: String
    /// When it was sent.
    public let sent: Timestamp
    /// The first code of eight digits in the text; `nil` if it has none.
    public let code: String?
    /// The first link in the text; `nil` if it has none.
    public let link: String?

    /// Creates a mail.
    public init(
        recipient: String,
        subject: String,
        text: String,
        sent: Timestamp,
        code: String? = nil,
        link: String? = nil
    ) {
        (self.recipient, self.subject, self.text, self.sent) = (recipient, subject, text, sent)
        (self.code, self.link) = (code, link)
    }

    /// The members, as outputs show them.
    public static let object = ObjectSchema<MailboxEntry>(
        showing: Member("recipient", \.recipient),
        Member("subject", \.subject),
        Member("text", \.text),
        Member("sent", \.sent),
        Member("code", \.code),
        Member("link", \.link)
    )
}

/// The logic of a page that shows the mails of a demonstration, which has no mail server.
public final class MailboxBusinessLogicController: BusinessLogicController {
    /// The mails, most recent first.
    public static let mails = Output<[MailboxEntry]>("mails", description: "The mails, most recent first.")

    public static let events: EventTable<MailboxBusinessLogicController> = [
        .default("viewDidLoad", gives: [.renders(mails)]) { try await $0.show() }.safe()
    ]

    public typealias State = NoState

    public weak var controllable: (any Controllable)?
    private let mailbox: any Mailbox

    /// Creates the logic of the page.
    public init(mailbox: any Mailbox) { self.mailbox = mailbox }

    private func show() async throws { render(Self.mails, try await mailbox.mails()) }
}
