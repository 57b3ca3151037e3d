import ArgumentParser
import BusinessLogic
import SessionStorage

/// `understudy session list`.
struct SessionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "list",
        "List sessions, in the order in which they were started.",
        "\(SessionPlaceOptions.help)"
    )

    @OptionGroup var selection: SessionSelection

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var place: SessionPlaceOptions
    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await place.administration(storage)
        // Not before it is certain that there is such an account.
        var head = json ? nil : ["ID", "STARTED", "LAST USED", "EVENTS", "BYTES", "USER"]
        func printHead() {
            if let head { Terminal.print(Terminal.strong(Self.row(head))) }
            head = nil
        }
        try await administration.forEachSession(selection) { summary in
            if json { return Terminal.print(json: .object(summary.members)) }
            printHead()
            let session = summary.session
            let texts = [
                session.brief, session.created.brief, session.lastUsed.brief, session.events.map { "\($0)" } ?? "-",
                "\(session.size)", summary.username.isEmpty ? "-" : summary.username.printable,
            ]
            Terminal.print(Self.row(texts))
        }
        printHead()
    }

    private static func row(_ texts: [String]) -> String { .row(texts, widths: [8, 20, 20, 6, 8]) }
}
