package import BusinessLogic

/// A session in a list.
package struct SessionSummary: Equatable, Sendable {
    /// Increases from session to session.
    package let number: Int
    /// Eight digits, as in the log. They do not give access to the session.
    package let id: String
    /// The ID of the logged-in user's account; empty without one.
    package let account: String
    /// The name of the logged-in user; empty without one.
    package let username: String
    package let created: Timestamp
    package let lastUsed: Timestamp
    /// The number of events; `nil` for a session in memory, which does not count them.
    package let events: Int?
    /// The bytes that the session counts for.
    package let size: Int

    package init(
        number: Int,
        id: String,
        account: String,
        username: String,
        created: Timestamp,
        lastUsed: Timestamp,
        events: Int?,
        size: Int
    ) {
        (self.number, self.id, self.account, self.username) = (number, id, account, username)
        (self.created, self.lastUsed, self.events, self.size) = (created, lastUsed, events, size)
    }
}

extension SessionSummary: ObjectValue {
    package static let object = ObjectSchema(
        SessionSummary.init(number:id:account:username:created:lastUsed:events:size:),
        Member("number", \.number),
        Member("id", \.id),
        Member("account", \.account),
        Member("username", \.username),
        Member("created", \.created),
        Member("lastUsed", \.lastUsed),
        Member("events", \.events),
        Member("size", \.size)
    )
}

/// A session as `understudy session show` prints it, without secrets.
package struct SessionDetails: Equatable, Sendable {
    /// What a page shows: an output, a field, an alert or a destination.
    package struct Content: Equatable, Sendable {
        package let page: String
        /// `shows`, `field`, `alert` or `goes to`.
        package let kind: String
        /// The key of the output, the name of the field, or the code of the alert; empty for a destination.
        package let name: String
        package let value: String

        package init(page: String, kind: String, name: String, value: String) {
            (self.page, self.kind, self.name, self.value) = (page, kind, name, value)
        }
    }

    /// A command of the history.
    package struct Entry: Equatable, Sendable {
        package let sequence: String
        package let page: String
        /// `render`, `showAlert` or `goToPage`.
        package let command: String
        /// The key, the value and the code of its message.
        package let content: String

        package init(sequence: String, page: String, command: String, content: String) {
            (self.sequence, self.page, self.command, self.content) = (sequence, page, command, content)
        }
    }

    package let summary: SessionSummary
    /// The names of the session values, which can be secret.
    package let values: [String]
    package let pages: [Content]
    package let commands: [Entry]

    package init(summary: SessionSummary, values: [String], pages: [Content], commands: [Entry]) {
        (self.summary, self.values, self.pages, self.commands) = (summary, values, pages, commands)
    }
}

extension SessionDetails.Content: ObjectValue {
    package static let object = ObjectSchema(
        SessionDetails.Content.init(page:kind:name:value:),
        Member("page", \.page),
        Member("kind", \.kind),
        Member("name", \.name),
        Member("value", \.value)
    )
}

extension SessionDetails.Entry: ObjectValue {
    package static let object = ObjectSchema(
        SessionDetails.Entry.init(sequence:page:command:content:),
        Member("sequence", \.sequence),
        Member("page", \.page),
        Member("command", \.command),
        Member("content", \.content)
    )
}

extension SessionDetails: ObjectValue {
    package static let object = ObjectSchema(
        SessionDetails.init(summary:values:pages:commands:),
        Member("summary", \.summary),
        Member("values", \.values),
        Member("pages", \.pages),
        Member("commands", \.commands)
    )
}
