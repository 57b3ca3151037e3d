/// How an ``AccountService`` sends mails to users.
public struct AccountMails: Sendable {
    /// Where the mails wait until they are sent.
    public let outbox: any Outbox
    /// Writes the mails.
    public let writer: any MailWriting
    /// Whether users who sign up must confirm their address before they can log in.
    public let confirmsAddresses: Bool

    /// Creates a description.
    public init(outbox: any Outbox, writer: any MailWriting, confirmsAddresses: Bool = false) {
        self.outbox = outbox
        self.writer = writer
        self.confirmsAddresses = confirmsAddresses
    }
}
