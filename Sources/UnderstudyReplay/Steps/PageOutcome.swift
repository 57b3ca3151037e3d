import BusinessLogic
import UnderstudyPages

/// Something that an event of a page can give: a message, a destination or an output.
package struct PageOutcome: Hashable, Comparable {
    package let page: String
    package let event: String
    /// The outcome in words: `goToPage Home`, `render message login.wrongCredentials`.
    package let name: String

    package static func < (left: PageOutcome, right: PageOutcome) -> Bool {
        (left.page, left.event, left.name) < (right.page, right.event, right.name)
    }

    static func declared(by page: Page) -> [PageOutcome] {
        page.declarations.flatMap { declaration in
            let names = declaration.gives.flatMap { gives in
                let (command, messages): (String, [Message]) =
                    switch gives {
                    case .render(let key, _, let messages, _, _): ("render \(key)", messages ?? [])
                    case .showAlert(let messages): ("showAlert", messages)
                    case .goToPage(let destination): ("goToPage \(destination.name)", [])
                    }
                return messages.isEmpty ? [command] : messages.map { "\(command) \($0.code)" }
            }
            return names.map { PageOutcome(page: page.name, event: declaration.event.name, name: $0) }
        }
    }

    /// A message is given with its code, and without, as events declare any message.
    static func given(by response: Value.Object, event: String, page: String) -> [PageOutcome] {
        var names: [String] = []
        for command in response["commands"]?.array ?? [] {
            guard let kind = command["command"]?.string else { continue }
            let subject = command["key"]?.string ?? command["name"]?.string
            names.append([kind, subject].compactMap { $0 }.joined(separator: " "))
            if let code = command["code"]?.string { names.append("\(names[names.count - 1]) \(code)") }
        }
        return names.map { PageOutcome(page: page, event: event, name: $0) }
    }
}
