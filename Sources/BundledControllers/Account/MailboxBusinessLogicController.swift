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

    /// Creates a mail.
    public init(recipient: String, subject: String, text: String, sent: Timestamp) {
        self.recipient = recipient
        self.subject = subject
        self.text = text
        self.sent = sent
    }

    /// The members, as outputs show them.
    public static let object = ObjectSchema<MailboxEntry>(
        showing: Member("recipient", \.recipient),
        Member("subject", \.subject),
        Member("text", \.text),
        Member("sent", \.sent)
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
