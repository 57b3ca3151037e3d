/// Sends mails of yours to users.
public struct UserMails: Sendable {
    private let outbox: any Outbox
    private let writer: any MailWriting
    private let address: @Sendable (String) async throws -> String?

    /// Creates what sends mails through an outbox.
    ///
    /// - Parameters:
    ///   - outbox: where the mails wait until they are sent.
    ///   - writer: writes the mails.
    ///   - address: returns the address that the user with that ID has confirmed, if any, such as
    ///     ``/BundledControllers/AccountManaging/confirmedEmail(ofUser:)``.
    public init(
        outbox: any Outbox,
        writer: any MailWriting,
        address: @escaping @Sendable (_ userID: String) async throws -> String?
    ) {
        (self.outbox, self.writer, self.address) = (outbox, writer, address)
    }

    /// Sends a mail to the address that a user has confirmed; sends nothing if the user has confirmed none.
    ///
    /// During an event, the commit sends it: an event that fails sends no mail.
    ///
    /// - Parameters:
    ///   - content: what it says.
    ///   - userID: the ID of the user's account.
    ///   - language: the language of the user (BCP 47); `nil` if it is unknown.
    /// - Throws: what the store of the accounts and the outbox throw; ``MailTooLong``.
    public func send(_ content: MailContent, toUser userID: String, language: String?) async throws {
        guard let address = try await address(userID) else { return }
        try await outbox.add(writer.mail(content, to: address, language: language, expires: nil))
    }
}
