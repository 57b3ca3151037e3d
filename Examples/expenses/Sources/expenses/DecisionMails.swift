import Accounts
import BusinessLogic
import Understudy

/// Mails a decision to the address that the owner of the expense has confirmed, in the language in which it was submitted.
struct DecisionMails: DecisionMailing {
    let outbox: any Outbox
    /// The address that the user with that ID has confirmed, if any.
    let address: @Sendable (_ userID: String) async throws -> String?
    let translations: Translations

    func send(_ status: Status, about submission: Submission) async throws {
        guard let address = try await self.address(submission.owner) else { return }
        let mail = Mail(
            recipient: address,
            subject: text(.decisionSubject(status), submission.language),
            text: text(.decision(status, submission.expense), submission.language) + "\n"
        )
        try await outbox.add(mail)
    }

    private func text(_ message: Message, _ language: String?) -> String {
        language.flatMap { translations.text(of: message, in: $0) } ?? message.text
    }
}

/// Sends nothing: for a server without mails.
struct NoMails: DecisionMailing {
    func send(_ status: Status, about submission: Submission) {}
}

extension Message {
    static func decisionSubject(_ status: Status) -> Message {
        .notice(code: "mail.\(status.rawValue).subject", text: "Your expense was \(status.rawValue)")
    }

    static func decision(_ status: Status, _ expense: Expense) -> Message {
        .notice(
            code: "mail.\(status.rawValue).text",
            text: "Your expense \(expense.title) was \(status.rawValue).",
            parameters: ["title": .string(expense.title)]
        )
    }
}
