/// Gives mails to a mail server.
public protocol Mailer: Sendable {
    /// Gives a mail to the mail server, which then is responsible for it.
    ///
    /// It may be called twice with the same mail, for example after a connection that ended before the mail server's answer. It must end
    /// after at most two minutes, and soon if its task is cancelled.
    ///
    /// - Throws: ``MailError``.
    func send(_ mail: Mail) async throws(MailError)
}

/// Why a mail server has not accepted a mail.
public struct MailError: Error, Equatable, Sendable {
    /// Whether it may accept the mail later. Otherwise, it never will.
    public let isTemporary: Bool
    /// The reason, without addresses.
    public let reason: String

    /// It may accept the mail later.
    public static func temporary(_ reason: String) -> MailError { MailError(isTemporary: true, reason: reason) }

    /// It will never accept the mail.
    public static func permanent(_ reason: String) -> MailError { MailError(isTemporary: false, reason: reason) }
}

extension String {
    /// The words of a mail server's reply, each with an address replaced: addresses must not be in logs. At most 500 Unicode scalars.
    package var withoutAddresses: String {
        let words = unicodeScalars.prefix(1_000).split { $0.properties.isWhitespace }
        let text = words.map { $0.contains("@") ? "(address)" : String($0) }.joined(separator: " ")
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(500)))
    }
}

/// Where mails wait until they are sent.
public protocol Outbox: Sendable {
    /// Adds a mail. During an event whose changes are committed together, the mail is added by the commit: an event that fails sends no mail.
    ///
    /// Adding a mail with the ID of another one that waits does nothing.
    ///
    /// - Throws: ``MailTooLong``; ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    func add(_ mail: Mail) async throws
}

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
