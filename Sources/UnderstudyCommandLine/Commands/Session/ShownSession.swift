import Accounts
import AccountsDatabase
import BusinessLogic
import SessionStorage
import Understudy

/// What an operator sees of a session, without secrets.
struct ShownSession {
    /// The session as JSON.
    let value: Value
    private let id: String

    /// What replaces a secret.
    private static let secret = Value.string("(secret)")

    init(_ session: SharedSession, _ listed: ListedSession, pages: [Page]) {
        let content = (try? JSONReader.read(session.session.content).object) ?? [:]
        // A page that the program does not know shows nothing, because its secrets are not known either.
        let secrets = Dictionary(pages.map { ($0.name, Set($0.secretOutputs)) }) { $1 }
        id = listed.brief
        var object: Value.Object = [
            "id": .string(id), "created": .string(listed.created.text), "lastUsed": .string(listed.lastUsed.text),
            "events": Value(listed.events), "size": Value(listed.size),
        ]
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
        let stored = session.events.compactMap { try? JSONReader.read($0.content).object?["commands"]?.array }.flatMap(
            \.self
        )
        let commands = (content["history"]?.array ?? []) + stored
        object["commands"] = .array(commands.compactMap { Self.command($0, secrets) })
        value = .object(object)
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

    /// The session as text.
    var lines: [String] {
        let object = value.object ?? [:]
        func text(_ value: Value?) -> String {
            guard let value else { return "" }
            return (value.string ?? String(decoding: value.json.dropLast(), as: UTF8.self)).printable
        }
        var lines = [Terminal.strong("Session \(id)")]
        func add(_ name: String, _ value: String) {
            lines.append("  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + value)
        }
        let user = object["user"]?.object
        add("user", user.map { "\(text($0["username"])) (\(text($0["id"])))" } ?? "-")
        add("started", text(object["created"]))
        add("last used", text(object["lastUsed"]))
        add("events", "\(text(object["events"])), \(text(object["size"])) bytes")
        let values = object["sessionValues"]?.array ?? []
        if !values.isEmpty { add("values", values.map(text).joined(separator: ", ")) }
        for page in object["pages"]?.array?.compactMap(\.object) ?? [] {
            lines.append("  page \(text(page["page"]))")
            for (key, value) in page["rendered"]?.object ?? [:] {
                lines.append("    shows \(key.printable): \(text(value))")
            }
            for (key, value) in page["values"]?.object ?? [:] {
                lines.append("    field \(key.printable): \(text(value))")
            }
            if let alert = page["alert"]?.object {
                lines.append("    alert \(text(alert["code"])): \(text(alert["text"]))")
            }
            if let destination = page["destination"]?.object {
                lines.append("    goes to \(text(destination["name"]))")
            }
        }
        lines.append("  commands")
        for entry in object["commands"]?.array?.compactMap(\.object) ?? [] {
            guard let (name, arguments) = entry["command"]?.object?.first.map({ ($0.name, $0.value) }) else { continue }
            let details = arguments.object ?? [:]
            let message = details["message"]?.object ?? details
            let what = [details["key"] ?? details["name"], details["value"], message["code"]].compactMap(\.self).map(
                text
            ).filter { !$0.isEmpty }
            lines.append(
                "    \(text(entry["sequence"]))  \(text(entry["page"]))  \(name)  \(what.joined(separator: "  "))"
            )
        }
        return lines
    }
}
