package import BusinessLogic

/// The logic of the page that shows the mails in the outbox, and sends or discards them.
package final class MailsController: OperatorController {
    /// The ID of a mail.
    package static let mail = Field<String>(
        "mail",
        minimumLength: 1,
        maximumLength: 100,
        description: "The ID of a mail."
    )
    /// The mails that wait or have failed.
    package static let mails = Output<[MailSummary]>(
        "mails",
        description: "The mails that wait or have failed, in the order in which they were added."
    )
    /// Whether there are more mails.
    package static let hasMore = Output<Bool>("hasMore", description: "Whether there are more mails.")
    /// What has become of a mail.
    package static let message = Output<Message?>("message", description: "What has become of a mail.")

    package static let events: EventTable<MailsController> = [
        .default("viewDidLoad", gives: shown) { try await $0.load() }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
        .event(
            "retryButtonPressed",
            reads: mail,
            gives: shown + [.renders(message, .mailRetried, .mailNotRetried)]
        ) { try await $0.retry($1) },
        .event(
            "discardButtonPressed",
            reads: mail,
            gives: shown + [.renders(message, .mailDiscarded, .unknownMail)]
        ) { try await $0.discard($1) },
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(mails), .renders(hasMore), .renders(message), .goes(to: .operatorLogin),
    ]

    /// Which mails the page shows.
    package struct State: Codable, Equatable, Sendable {
        /// By the numbers of the mails.
        var part = ListPart<Int>()
    }

    package weak var controllable: (any Controllable)?
    package var state = State()
    package let administration: any Administration
    package let identity: any Identity

    package init(administration: any Administration, identity: any Identity) {
        self.administration = administration
        self.identity = identity
    }

    package var stateMemorySize: Int? { 0 }

    private func load() async throws {
        try await asOperator { _ in try await show(nil) }
    }

    private func showMore() async throws {
        try await asOperator { _ in
            state.part.advance()
            try await show(nil)
        }
    }

    private func retry(_ id: String) async throws {
        try await asOperator { client in
            try await show(try await administration.retryMail(id, by: client) ? .mailRetried : .mailNotRetried)
        }
    }

    private func discard(_ id: String) async throws {
        try await asOperator { client in
            try await show(try await administration.discardMail(id, by: client) ? .mailDiscarded : .unknownMail)
        }
    }

    private func show(_ message: Message?) async throws {
        let mails = try await administration.mails(after: state.part.last ?? 0, limit: ListPart<Int>.limit)
        render(Self.mails, state.part.cut(mails, key: \.number))
        render(Self.hasMore, state.part.hasMore)
        render(Self.message, message)
    }
}

extension Message {
    /// There is no such mail.
    static let unknownMail = Message(code: "operator.unknownMail", text: "There is no such mail any more")
    /// The mail was sent again.
    static let mailRetried = Message.notice(
        code: "operator.mailRetried",
        text: "A server sends the mail within a few seconds"
    )
    /// The mail cannot be sent.
    static let mailNotRetried = Message(
        code: "operator.mailNotRetried",
        text: "The mail has expired, or is being sent at the moment"
    )
    /// The mail was discarded.
    static let mailDiscarded = Message.notice(code: "operator.mailDiscarded", text: "The mail was discarded")
}
