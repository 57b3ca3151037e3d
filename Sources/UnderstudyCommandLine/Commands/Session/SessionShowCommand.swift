import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic
import SessionStorage
import Understudy

/// `understudy session show`.
struct SessionShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a session: its user, what its pages show, and its latest commands.",
        discussion: """
            Without secrets: values of secret fields are never stored, those of secret outputs are replaced, and of session values only \
            the names are shown. \(HelpText.exit)
            """
    )

    @Argument(help: "The session's ID, which logs and 'session list' contain.")
    var id: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let database = try await AdminContext.database(storage)
        let listed = try await database.session(brief: id)
        let store = database.sessions { 0 }
        guard case .found(let session) = try await store.find(listed.id, unlessVersion: 0) else {
            throw CommandError("The session '\(id.printable)' has ended.")
        }
        let shown = ShownSession(session, listed, pages: try Application.current.pages(PageDependencies()))
        if json { return Terminal.print(String(decoding: shown.value.json, as: UTF8.self), terminator: "") }
        for line in shown.lines { Terminal.print(line) }
    }
}
