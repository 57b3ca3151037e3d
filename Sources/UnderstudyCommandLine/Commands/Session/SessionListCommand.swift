import Accounts
import ArgumentParser
import BusinessLogic
import OperatorPages

/// `understudy session list`.
struct SessionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List sessions, in the order in which they were started.",
        discussion: "\(SessionPlaceOptions.help) \(HelpText.exit)"
    )

    @OptionGroup var selection: SessionSelection

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var place: SessionPlaceOptions
    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let sessions = try await place.stored(storage)
        if json { return try await sessions.forEach(selection) { Terminal.print($0.line.escaped) } }
        // Not before it is certain that there is such an account.
        var head: String? = Terminal.strong(Self.row("ID", "STARTED", "LAST USED", "EVENTS", "BYTES", "USER"))
        func printHead() {
            head.map { Terminal.print($0) }
            head = nil
        }
        try await sessions.forEach(selection) { session in
            printHead()
            Terminal.print(
                Self.row(
                    session.id,
                    session.created.brief,
                    session.lastUsed.brief,
                    session.events.map { "\($0)" } ?? "-",
                    "\(session.size)",
                    session.username.isEmpty ? "-" : session.username.printable
                )
            )
        }
        printHead()
    }

    private static func row(_ texts: String...) -> String {
        let columns = zip(texts, [8, 20, 20, 6, 8, 0]).map { text, width in
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return columns.joined(separator: "  ")
    }
}

extension SessionSummary {
    /// A line of JSON.
    fileprivate var line: String {
        var object: Value.Object = [
            "id": .string(id), "created": .string(created.text), "lastUsed": .string(lastUsed.text),
        ]
        if !account.isEmpty { object["account"] = .string(account) }
        if !username.isEmpty { object["username"] = .string(username) }
        if let events { object["events"] = Value(events) }
        object["size"] = Value(size)
        return String(decoding: Value.object(object).json.dropLast(), as: UTF8.self)
    }
}
