import Accounts
import BusinessLogic
import Understudy

/// A mail as operators see it, without its subject and its contents, which can contain codes.
struct MailEntry {
    let stored: OutboxMail
    let now: Timestamp

    /// `waiting`, `sending`, `expired` or `failed`.
    private var status: String {
        if stored.failed != nil { return "failed" }
        if stored.isClaimed(at: now) { return "sending" }
        return stored.hasExpired(at: now) ? "expired" : "waiting"
    }

    /// The state, and when the mail is tried next.
    var state: String {
        status == "waiting" && now < stored.due ? "waiting until \(stored.due.brief)" : status
    }

    /// The mail as one JSON object, whose members are sorted. Leaves out what is not known.
    var json: String {
        let members: Value.Object = [
            "added": .string(stored.queued.text), "attempts": Value(stored.attempts),
            "due": Value(stored.failed == nil ? stored.due.text : nil), "expires": Value(stored.mail.expires?.text),
            "failed": Value(stored.failed?.text), "id": .string(stored.mail.id), "reason": Value(stored.reason),
            "recipient": .string(stored.mail.recipient), "state": .string(status),
        ]
        var known: Value.Object = [:]
        for (name, value) in members where value != .null { known[name] = value }
        return known.description.escaped
    }
}
