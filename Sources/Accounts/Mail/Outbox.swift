/// Where mails wait until they are sent.
public protocol Outbox: Sendable {
    /// Adds a mail. During an event whose changes are committed together, the mail is added by the commit: an event that fails sends no mail.
    ///
    /// Adding a mail with the ID of another one that waits does nothing.
    ///
    /// - Throws: ``MailTooLong``; ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    func add(_ mail: Mail) async throws
}
