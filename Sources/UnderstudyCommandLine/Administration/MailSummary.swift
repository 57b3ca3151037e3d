import Accounts
import AccountsDatabase
import BusinessLogic

/// A mail as operators see it, without its subject and its contents, which can contain codes.
struct MailSummary: ObjectValue {
    static let object = ObjectSchema<MailSummary>(
        showing: Member("number", \.mail.number),
        Member("id", \.mail.mail.id),
        Member("added", \.mail.queued),
        Member("attempts", \.mail.attempts),
        Member("recipient", \.mail.mail.recipient),
        Member("state", \.state),
        Member("hasFailed", \.hasFailed)
    )

    let mail: OutboxMail
    /// When it was read.
    let now: Timestamp

    /// Whether the server does not try again by itself.
    var hasFailed: Bool { mail.failed != nil }

    /// `waiting`, `sending`, `expired` or `failed`.
    private var status: String {
        if hasFailed { return "failed" }
        if mail.isClaimed(at: now) { return "sending" }
        return mail.hasExpired(at: now) ? "expired" : "waiting"
    }

    /// `waiting until TIME`, `waiting`, `sending`, `expired` or `failed`, and the reason of the last failure.
    var state: String {
        let state = status == "waiting" && now < mail.due ? "waiting until \(mail.due.brief)" : status
        return state + (mail.reason.map { ": \($0)" } ?? "")
    }

    /// The mail as one JSON object, whose members are sorted. Leaves out what is not known.
    var members: Value.Object {
        Value.Object(known: [
            "added": .string(mail.queued.text), "attempts": Value(mail.attempts),
            "due": Value(hasFailed ? nil : mail.due.text), "expires": Value(mail.mail.expires?.text),
            "failed": Value(mail.failed?.text), "id": .string(mail.mail.id), "reason": Value(mail.reason),
            "recipient": .string(mail.mail.recipient), "state": .string(status),
        ])
    }
}
