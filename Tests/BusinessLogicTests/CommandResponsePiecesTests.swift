import BusinessLogic
import Testing

@Suite struct CommandResponsePiecesTests {
    private static let commands: [[Command]] = [
        [], [.render("a", 1)], [.render("a", 1), .goToPage("home"), .showAlert(Message(code: "a.b", text: "No"))],
    ]

    @Test(arguments: commands, [nil, "secret"])
    func `the pieces of a response are its start, its commands and its end`(
        commands: [Command],
        token: String?
    ) throws {
        let history = CommandHistory()
        history.append(.render("earlier", 0), page: "first")
        for command in commands { history.append(command, page: "second") }
        let entries = try #require(history.since(1))[...]
        let links = PageLinks([(destination: "home", href: "/home")])
        let whole = CommandResponse.json(
            sequence: history.sequence,
            commands: entries,
            context: ResponseContext(links: links),
            token: token,
            deviceToken: token
        )
        let pieces = CommandResponse.pieces(
            sequence: history.sequence,
            commands: entries,
            context: ResponseContext(links: links),
            token: token,
            deviceToken: token
        )
        #expect(Array(pieces.joined()) == whole)
        #expect(Array(pieces).count == commands.count + 2)
    }
}
