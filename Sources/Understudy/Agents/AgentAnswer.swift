import BusinessLogic
import UnderstudyPages

/// What an agent learns about a page: as values, and as a text that a model understands.
struct AgentAnswer {
    private let page: Page
    private let tools: [AgentTool]
    /// The page, whether the event did what the user wanted, and what the screen shows.
    private(set) var content: Value.Object

    /// The screen is the response to `GET /PAGE`, and the outcome that to the event, or the problem; `nil` for a page without an event.
    init(_ page: Page, screen: Value, outcome: Value? = nil, tools: [AgentTool]) {
        self.page = page
        self.tools = tools
        let said = outcome ?? screen
        content = ["page": .string(page.name), "ok": said["ok"] ?? false]
        var shown: Value.Object = [:]
        for (key, value) in screen["rendered"]?.object ?? [:] where !page.secretOutputs.contains(key) {
            shown[key] = value
        }
        content["shown"] = .object(shown)
        let isProblem = outcome != nil && outcome?["commands"] == nil
        if let commands = outcome?["commands"]?.array {
            content["commands"] = .array(commands.filter { !isSecret($0) })
            // Not those of the screen, which a logout forgets.
            content["alert"] = commands.last { $0["command"] == "showAlert" }
            content["goToPage"] = commands.last { $0["command"] == "goToPage" }
        } else if !isProblem {
            for member in ["alert", "goToPage"] where screen[member] != .null { content[member] = screen[member] }
        }
        if let errors = said["errors"] { content["errors"] = errors }
        if isProblem, content["errors"] == nil { content["errors"] = [["message": Self.reason(of: said)]] }
    }

    private func isSecret(_ command: Value) -> Bool {
        command["page"]?.string == page.name && page.secretOutputs.contains(command["key"]?.string ?? "")
    }

    private static func reason(of problem: Value) -> Value {
        problem["detail"] ?? problem["title"] ?? "The event has failed."
    }

    var isError: Bool { content["ok"] != true }

    var text: String {
        var lines: [String] = []
        for error in content["errors"]?.array ?? [] {
            let field = error["field"]?.string.map { "\($0): " } ?? ""
            lines.append("Rejected: \(field)\(error["message"]?.string ?? "")")
        }
        if let alert = content["alert"]?["message"]?.string { lines.append("Alert: \(alert)") }
        let next = content["goToPage"].flatMap { destination in
            let name = destination["href"]?.string?.utf8.split(separator: UInt8(ascii: "/")).last
            return tools.first { tool in name?.elementsEqual(tool.page.name.utf8) == true }?.page
        }
        if let destination = content["goToPage"] {
            let values = destination["values"].map { " with \($0)" } ?? ""
            lines.append("Went to \(next?.name ?? destination["name"]?.string ?? "")\(values).")
        }
        lines.append("The page '\(page.name)' shows:")
        let shown = content["shown"]?.object ?? [:]
        lines += shown.map { "- \($0.name): \($0.value)" }
        if shown.isEmpty { lines.append("- nothing yet") }
        let usable = tools.filter { $0.page === (next ?? page) }
        if !usable.isEmpty { lines.append("Next: \(usable.map(\.signature).joined(separator: ", "))") }
        return lines.joined(separator: "\n")
    }

    var toolResult: Value.Object {
        [
            "content": [["type": "text", "text": .string(text)]], "structuredContent": .object(content),
            "isError": .boolean(isError),
        ]
    }
}
