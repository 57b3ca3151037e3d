import Accounts
import BusinessLogic

/// Mails a decision to the owner of the expense, in the language in which it was submitted.
struct DecisionMails: DecisionMailing {
    /// `nil` if the server sends no mails.
    let mails: UserMails?

    func send(_ status: Status, about submission: Submission) async throws {
        let content = MailContent(
            subject: .decisionSubject(status),
            text: .decision(status, submission.expense),
            page: "expenses"
        )
        try await mails?.send(content, toUser: submission.owner, language: submission.language)
    }
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
