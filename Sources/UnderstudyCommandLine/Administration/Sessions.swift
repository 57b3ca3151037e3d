import Accounts
import AccountsDatabase
package import BusinessLogic
package import SessionStorage
import Understudy

/// The sessions that operators see and end.
protocol SessionDirectory: Sendable {
    /// One page of the sessions, in the order of their numbers. `last` is 0 for the first page.
    func sessions(_ filter: SessionFilter, after last: Int, limit: Int) async throws -> [ListedSession]

    /// What the session with an ID contains; `nil` if it has ended.
    func content(of id: [UInt8]) async throws -> StoredSession?

    /// Ends the session with an ID. Does nothing if it has ended.
    func end(_ id: [UInt8]) async throws

    /// Ends the sessions that changes of accounts have revoked. In a database, they have ended with the change.
    func followRevocations() async throws
}

extension SessionDirectory {
    /// The session with an ID of eight digits; `nil` unless exactly one has them. One of four billion pairs of sessions has the same digits.
    func session(brief id: String) async throws -> ListedSession? {
        let found = try await sessions(SessionFilter(brief: id.lowercased()), after: 0, limit: 2)
        return found.count == 1 ? found.first : nil
    }
}

extension DatabaseSessionStore: SessionDirectory {
    func sessions(_ filter: SessionFilter, after last: Int, limit: Int) async throws -> [ListedSession] {
        var (last, selected) = (last, [ListedSession]())
        while selected.count < limit {
            let sessions = try await store.listedSessions(after: last, limit: 500)
            guard let end = sessions.last else { break }
            selected += sessions.filter(filter.selects).prefix(limit - selected.count)
            last = end.number
        }
        return selected
    }

    func content(of id: [UInt8]) async throws -> StoredSession? {
        guard case .found(let session) = try await find(id, unlessVersion: 0) else { return nil }
        return session
    }

    func followRevocations() {}
}

/// Which sessions are listed or ended. What is `nil` selects all.
struct SessionFilter {
    /// The ID of eight digits.
    var brief: String?
    var user: String?
    /// The latest start.
    var created: Timestamp?

    func selects(_ session: ListedSession) -> Bool {
        (user == nil || session.user == user) && (brief == nil || session.brief == brief)
            && created.map { session.created <= $0 } ?? true
    }
}

extension ListedSession: ObjectValue {
    package static let object = ObjectSchema<ListedSession>(
        showing: Member("id", \.brief),
        Member("account", \.user),
        Member("username", \.username),
        Member("created", \.created),
        Member("lastUsed", \.lastUsed),
        Member("events", \.events),
        Member("size", \.size)
    )

    /// The first 32 bits of the ID, as the log contains them.
    var brief: String { StoredSession.brief(id) }
}

/// What an operator sees of a session, without secrets.
struct SessionDetails: ObjectValue {
    static let object = ObjectSchema<SessionDetails>(
        showing: Member("summary", \.listed),
        Member("values", \.values),
        Member("pages", \.contents),
        Member("commands", \.commands)
    )

    /// What a page shows: an output, a field, an alert or a destination.
    struct Content: ObjectValue {
        static let object = ObjectSchema<Content>(
            showing: Member("page", \.page),
            Member("kind", \.kind),
            Member("name", \.name),
            Member("value", \.value)
        )

        let page: String
        /// `shows`, `field`, `alert` or `goes to`.
        let kind: String
        /// The key of the output, the name of the field, or the code of the alert; empty for a destination.
        let name: String
        let value: String
    }

    /// A command of the history.
    struct Entry: ObjectValue {
        static let object = ObjectSchema<Entry>(
            showing: Member("sequence", \.sequence),
            Member("page", \.page),
            Member("command", \.command),
            Member("content", \.content)
        )

        let sequence: String
        let page: String
        /// `render`, `showAlert` or `goToPage`.
        let command: String
        /// The key, the value and the code of its message.
        let content: String
    }

    let listed: ListedSession
    /// The names of the session values, which can be secret.
    let values: [String]
    let contents: [Content]
    let commands: [Entry]

    init(_ session: StoredSession, _ listed: ListedSession, pages: [Page]) {
        self.listed = listed
        let content = (try? JSONReader.read(session.content).object) ?? [:]
        // A page that the program does not know shows nothing, because its secrets are not known either.
        let secrets = Dictionary(pages.map { ($0.name, Set($0.secretOutputs)) }) { $1 }
        values = (content["values"]?.object ?? [:]).map { $0.name }
        contents = (content["pages"]?.array ?? []).flatMap { page in
            guard let name = page["page"]?.string, let secrets = secrets[name] else { return [Content]() }
            return Self.contents(name, page["recorder"] ?? [:], secrets)
        }
        let stored = session.events.flatMap { (try? JSONReader.read($0.content)["commands"]?.array) ?? [] }
        commands = ((content["history"]?.array ?? []) + stored).compactMap { entry in
            guard let page = entry["page"]?.string, let secrets = secrets[page],
                let command = entry["command"]?.object?.first
            else { return nil }
            let content = Self.content(of: command.name, command.value, secrets)
            return Entry(sequence: Self.text(entry["sequence"]), page: page, command: command.name, content: content)
        }
    }

    private static func contents(_ page: String, _ recorder: Value, _ secrets: Set<String>) -> [Content] {
        func content(_ kind: String, _ name: String, _ value: Value?) -> Content {
            Content(page: page, kind: kind, name: name, value: text(value))
        }
        var contents = (recorder["rendered"]?.object ?? [:]).map { name, value in
            content("shows", name, secrets.contains(name) && value != .null ? secret : value)
        }
        contents += (recorder["values"]?.object ?? [:]).map { content("field", $0.name, $0.value) }
        if let alert = recorder["alert"]?.object {
            contents.append(content("alert", text(alert["code"]), alert["text"]))
        }
        if let page = recorder["destination"]?.object { contents.append(content("goes to", "", page["name"])) }
        return contents
    }

    private static func content(of command: String, _ details: Value, _ secrets: Set<String>) -> String {
        let key = details["key"] ?? details["name"]
        var (value, code) = (details["value"], (details["message"] ?? details["_0"] ?? details)["code"])
        if command == "render", let key = key?.string, secrets.contains(key) { (value, code) = (secret, nil) }
        return [key, value, code].map(text).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static let secret = Value.string("(secret)")

    private static func text(_ value: Value?) -> String {
        guard let value else { return "" }
        return value.string ?? value.line
    }

    var lines: [String] {
        var lines: [String] = []
        func add(_ name: String, _ value: String) { lines.append("  \(name.padded(to: 12))\(value)") }
        add("user", listed.user.map { "\(listed.username ?? $0) (\($0))" } ?? "-")
        add("started", listed.created.text)
        add("last used", listed.lastUsed.text)
        add("events", "\(listed.events), \(listed.size) bytes")
        if !values.isEmpty { add("values", values.joined(separator: ", ")) }
        var page: String?
        for content in contents {
            if content.page != page { lines.append("  page \(content.page)") }
            page = content.page
            lines.append("    \(content.kind) \(content.name.isEmpty ? "" : content.name + ": ")\(content.value)")
        }
        lines.append("  commands")
        for entry in commands {
            lines.append("    \(entry.sequence)  \(entry.page)  \(entry.command)  \(entry.content)")
        }
        // Users have entered some of it.
        return [Terminal.strong("Session \(listed.brief)")] + lines.map(\.printable)
    }
}
