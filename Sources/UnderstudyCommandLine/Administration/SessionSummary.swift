import Accounts
import BusinessLogic
import SessionStorage

/// A session in a list.
struct SessionSummary: Sendable {
    let session: ListedSession
    /// The name of the logged-in user; empty without one.
    let username: String

    /// The session as one JSON object.
    var members: Value.Object {
        Value.Object(known: [
            "id": .string(session.brief), "created": .string(session.created.text),
            "lastUsed": .string(session.lastUsed.text), "account": Value(session.user),
            "username": username.isEmpty ? .null : .string(username), "events": session.events.screenValue,
            "size": Value(session.size),
        ])
    }
}

extension SessionSummary: ObjectValue {
    static let object = ObjectSchema<SessionSummary>(
        showing: Member("number", \.session.number),
        Member("id", \.session.brief),
        Member("account") { $0.session.user ?? "" },
        Member("username", \.username),
        Member("created", \.session.created),
        Member("lastUsed", \.session.lastUsed),
        Member("events", \.session.events),
        Member("size", \.session.size)
    )
}
