import Accounts
import AccountsDatabase
import BusinessLogic

/// A mail as operators see it, without its subject and its contents, which can contain codes.
struct MailSummary: ObjectValue {
    static let object = ObjectSchema<MailSummary>(
        showing: Member("id", \.mail.mail.id),
        Member("added", \.mail.queued),
        Member("attempts", \.mail.attempts),
        Member("recipient", \.mail.mail.recipient),
        Member("state", \.state),
        Member("due", \.due),
        Member("expires", \.mail.mail.expires),
        Member("failed", \.mail.failed),
        Member("reason", \.mail.reason),
        Member("description", \.description)
    )

    let mail: OutboxMail
    /// When it was read.
    let now: Timestamp

    /// Whether the server does not try again by itself.
    var hasFailed: Bool { mail.failed != nil }

    /// When a server may send it; `nil` if it has failed.
    private var due: Timestamp? { hasFailed ? nil : mail.due }

    /// `waiting`, `sending`, `expired` or `failed`.
    private var state: String {
        if hasFailed { return "failed" }
        if mail.isClaimed(at: now) { return "sending" }
        return mail.hasExpired(at: now) ? "expired" : "waiting"
    }

    /// `waiting until TIME`, `waiting`, `sending`, `expired` or `failed`, and the reason of the last failure.
    var description: String {
        let state = state == "waiting" && now < mail.due ? "waiting until \(mail.due.brief)" : state
        return state + (mail.reason.map { ": \($0)" } ?? "")
    }
}
