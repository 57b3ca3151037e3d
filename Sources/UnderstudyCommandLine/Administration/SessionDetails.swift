import Accounts
import BusinessLogic
import SessionStorage
import Understudy

/// What an operator sees of a session, without secrets.
struct SessionDetails: ObjectValue {
    static let object = ObjectSchema<SessionDetails>(
        showing: Member("summary", \.summary),
        Member("values", \.sessionValues),
        Member("pages", \.contents),
        Member("commands", \.commands)
    )

    /// What a page shows: an output, a field, an alert or a destination.
    struct Content: ObjectValue {
        let page: String
        /// `shows`, `field`, `alert` or `goes to`.
        let kind: String
        /// The key of the output, the name of the field, or the code of the alert; empty for a destination.
        let name: String
        let value: String

        static let object = ObjectSchema(
            Content.init(page:kind:name:value:),
            Member("page", \.page),
            Member("kind", \.kind),
            Member("name", \.name),
            Member("value", \.value)
        )
    }

    /// A command of the history.
    struct Entry: ObjectValue {
        let sequence: String
        let page: String
        /// `render`, `showAlert` or `goToPage`.
        let command: String
        /// The key, the value and the code of its message.
        let content: String

        static let object = ObjectSchema(
            Entry.init(sequence:page:command:content:),
            Member("sequence", \.sequence),
            Member("page", \.page),
            Member("command", \.command),
            Member("content", \.content)
        )
    }

    let summary: SessionSummary
    /// The session as JSON.
    let value: Value

    /// What replaces a secret.
    private static let secret = Value.string("(secret)")

    init(_ session: SharedSession, _ summary: SessionSummary, pages: [Page]) {
        let listed = summary.session
        let content = (try? JSONReader.read(session.session.content).object) ?? [:]
        // A page that the program does not know shows nothing, because its secrets are not known either.
        let secrets = Dictionary(pages.map { ($0.name, Set($0.secretOutputs)) }) { $1 }
        var object: Value.Object = [
            "id": .string(listed.brief), "created": .string(listed.created.text),
            "lastUsed": .string(listed.lastUsed.text),
        ]
        if let events = listed.events { object["events"] = Value(events) }
        object["size"] = Value(listed.size)
        object["user"] = content["user"] ?? .null
        object["sessionValues"] = .array((content["values"]?.object ?? [:]).map { .string($0.name) })
        object["pages"] = .array(
            (content["pages"]?.array ?? []).compactMap { page in
                guard let page = page.object, let name = page["page"]?.string, let secrets = secrets[name] else {
                    return nil
                }
                let recorder = page["recorder"]?.object ?? [:]
                var shown: Value.Object = ["page": .string(name)]
                shown["rendered"] = .object(Self.redacted(recorder["rendered"]?.object ?? [:], secrets))
                shown["values"] = recorder["values"] ?? .object([:])
                for member in ["alert", "destination"] { shown[member] = recorder[member] }
                return .object(shown)
            }
        )
        let stored = session.events.flatMap { (try? JSONReader.read($0.content).object?["commands"]?.array) ?? [] }
        let commands = (content["history"]?.array ?? []) + stored
        object["commands"] = .array(commands.compactMap { Self.command($0, secrets) })
        value = .object(object)
        self.summary = summary
    }

    private static func redacted(_ rendered: Value.Object, _ secrets: Set<String>) -> Value.Object {
        var shown: Value.Object = [:]
        for (key, value) in rendered { shown[key] = secrets.contains(key) && value != .null ? secret : value }
        return shown
    }

    /// A command of the history, unless its page is not known.
    private static func command(_ command: Value, _ secrets: [String: Set<String>]) -> Value? {
        guard var entry = command.object, let secrets = entry["page"]?.string.flatMap({ secrets[$0] }),
            var content = entry["command"]?.object
        else { return nil }
        if var render = content["render"]?.object, let key = render["key"]?.string, secrets.contains(key) {
            render["value"] = secret
            render["message"] = nil
            content["render"] = .object(render)
        }
        entry["command"] = .object(content)
        return .object(entry)
    }

    /// The names of the session values, which can be secret.
    private var sessionValues: [String] { (value["sessionValues"]?.array ?? []).map(Self.text) }

    private var contents: [Content] {
        (value["pages"]?.array ?? []).compactMap(\.object).flatMap { page -> [Content] in
            let name = Self.text(page["page"])
            func content(_ kind: String, _ key: String, _ value: Value?) -> Content {
                Content(page: name, kind: kind, name: key, value: Self.text(value))
            }
            var contents = (page["rendered"]?.object ?? [:]).map { content("shows", $0.name, $0.value) }
            contents += (page["values"]?.object ?? [:]).map { content("field", $0.name, $0.value) }
            if let alert = page["alert"]?.object {
                contents.append(content("alert", Self.text(alert["code"]), alert["text"]))
            }
            if let page = page["destination"]?.object { contents.append(content("goes to", "", page["name"])) }
            return contents
        }
    }

    private var commands: [Entry] {
        (value["commands"]?.array ?? []).compactMap(\.object).compactMap { entry in
            (entry["command"]?.object?.first).map { command in
                let details = command.value.object ?? [:]
                let message = (details["message"] ?? details["_0"])?.object ?? details
                let parts = [details["key"] ?? details["name"], details["value"], message["code"]].compactMap(\.self)
                return Entry(
                    sequence: Self.text(entry["sequence"]),
                    page: Self.text(entry["page"]),
                    command: command.name,
                    content: parts.map(Self.text).filter { !$0.isEmpty }.joined(separator: "  ")
                )
            }
        }
    }

    private static func text(_ value: Value?) -> String {
        guard let value else { return "" }
        return value.string ?? value.line
    }

    /// The session as text.
    var lines: [String] {
        let (user, size) = (value["user"]?.object, "\(Self.text(value["size"])) bytes")
        let id = user?["id"].map { " (\(Self.text($0)))" } ?? ""
        var lines: [String] = []
        func add(_ name: String, _ value: String) {
            lines.append("  \(name.padded(to: 12))\(value)")
        }
        add("user", user.map { Self.text($0["username"]) + id } ?? "-")
        add("started", Self.text(value["created"]))
        add("last used", Self.text(value["lastUsed"]))
        if let events = value["events"] { add("events", "\(Self.text(events)), \(size)") } else { add("size", size) }
        if !sessionValues.isEmpty { add("values", sessionValues.joined(separator: ", ")) }
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
        return [Terminal.strong("Session \(Self.text(value["id"]).printable)")] + lines.map(\.printable)
    }
}
