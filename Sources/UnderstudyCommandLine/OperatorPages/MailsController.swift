import Accounts
import BusinessLogic

/// The logic of the page that shows the mails in the outbox, and sends or discards them.
final class MailsController: OperatorController {
    /// The ID of a mail.
    static let mail = Field<String>(
        "mail",
        minimumLength: 1,
        maximumLength: 100,
        description: "The ID of a mail."
    )
    /// The mails that wait or have failed.
    static let mails = Output<[MailSummary]>(
        "mails",
        description: "The mails that wait or have failed, in the order in which they were added."
    )
    /// Whether there are more mails.
    static let hasMore = Output<Bool>("hasMore", description: "Whether there are more mails.")
    /// What has become of a mail.
    static let message = Output<Message?>("message", description: "What has become of a mail.")

    static let events: EventTable<MailsController> = [
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
    struct State: Codable, Equatable, Sendable {
        /// By the numbers of the mails.
        var part = ListPart<Int>()
    }

    weak var controllable: (any Controllable)?
    var state = State()
    let access: OperatorAccess
    let identity: any Identity

    init(access: OperatorAccess, identity: any Identity) {
        self.access = access
        self.identity = identity
    }

    var stateMemorySize: Int? { 0 }

    private func load() async throws {
        try await asOperator { try await show(nil, $0) }
    }

    private func showMore() async throws {
        try await asOperator { administration in
            state.part.advance()
            try await show(nil, administration)
        }
    }

    private func retry(_ id: String) async throws {
        try await asOperator { administration in
            let message: Message = try await administration.retryMail(id) ? .mailRetried : .mailNotRetried
            try await show(message, administration)
        }
    }

    private func discard(_ id: String) async throws {
        try await asOperator { administration in
            let message: Message = try await administration.discardMail(id) ? .mailDiscarded : .unknownMail
            try await show(message, administration)
        }
    }

    private func show(_ message: Message?, _ administration: Administration) async throws {
        let mails = try await administration.mails(after: state.part.last, limit: ListPart<Int>.limit)
        render(Self.mails, state.part.cut(mails, key: \.mail.number))
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
