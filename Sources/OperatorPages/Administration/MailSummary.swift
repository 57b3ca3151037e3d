package import BusinessLogic

/// A mail in the outbox, without its subject and its contents, which can contain codes.
package struct MailSummary: Equatable, Sendable {
    /// Increases from mail to mail.
    package let number: Int
    package let id: String
    package let added: Timestamp
    package let attempts: Int
    package let recipient: String
    /// `waiting until TIME`, `waiting`, `sending`, `expired` or `failed`, and the reason of the last failure.
    package let state: String
    /// Whether the server does not try again by itself.
    package let hasFailed: Bool

    package init(
        number: Int,
        id: String,
        added: Timestamp,
        attempts: Int,
        recipient: String,
        state: String,
        hasFailed: Bool
    ) {
        (self.number, self.id, self.added, self.attempts) = (number, id, added, attempts)
        (self.recipient, self.state, self.hasFailed) = (recipient, state, hasFailed)
    }
}

extension MailSummary: ObjectValue {
    package static let object = ObjectSchema(
        MailSummary.init(number:id:added:attempts:recipient:state:hasFailed:),
        Member("number", \.number),
        Member("id", \.id),
        Member("added", \.added),
        Member("attempts", \.attempts),
        Member("recipient", \.recipient),
        Member("state", \.state),
        Member("hasFailed", \.hasFailed)
    )
}
