import BusinessLogic

/// The logic of the page that shows the mails in the outbox, and sends or discards them.
final class MailsController: OperatorPage, OperatorList {
    /// The ID of a mail.
    static let mail = Field<String>("mail", minimumLength: 1, maximumLength: 100)
    /// The mails that wait or have failed, in the order in which they were added.
    static let mails = Output<[MailSummary]>("mails")
    /// What has become of a mail.
    static let message = Output<Message?>("message")

    static let events: EventTable<MailsController> = [
        .default("viewDidLoad", gives: shown) { try await $0.show() }.safe(),
        .event("startButtonPressed", gives: shown) { try await $0.showStart() }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
        .event(
            "retryButtonPressed",
            reads: mail,
            gives: shown + [.renders(message, .mailRetried, .mailNotRetried)]
        ) { page, id in try await page.show { try await $0.retryMail(id) ? .mailRetried : .mailNotRetried } },
        .event(
            "discardButtonPressed",
            reads: mail,
            gives: shown + [.renders(message, .mailDiscarded, .unknownMail)]
        ) { page, id in try await page.show { try await $0.discardMail(id) ? .mailDiscarded : .unknownMail } },
    ]

    private static let shown = [.renders(mails), .renders(message)] + part

    /// By the numbers of the mails.
    typealias Key = Int

    var state = ListPart<Key>()

    var stateMemorySize: Int? { 0 }

    func show() async throws { try await show { _ in nil } }

    /// Shows the mails. `action` changes one before, and returns what has become of it.
    private func show(after action: (Administration) async throws -> Message?) async throws {
        try await asOperator { administration in
            let message = try await action(administration)
            let mails = try await administration.mails(after: state.last, limit: state.limit)
            render(Self.mails, state.cut(mails, key: \.mail.number))
            renderPart()
            render(Self.message, message)
        }
    }
}

extension Message {
    static let unknownMail = Message(code: "operator.unknownMail", text: "There is no such mail any more")
    static let mailRetried = Message.notice(
        code: "operator.mailRetried",
        text: "A server sends the mail within a few seconds"
    )
    static let mailNotRetried = Message(
        code: "operator.mailNotRetried",
        text: "The mail has expired, or is being sent at the moment"
    )
    static let mailDiscarded = Message.notice(code: "operator.mailDiscarded", text: "The mail was discarded")
}
