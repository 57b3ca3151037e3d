import Accounts
import ArgumentParser

/// `understudy session show`.
struct SessionShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "show",
        "Show a session: its user, what its pages show, and its latest commands.",
        """
        Without secrets: values of secret fields are never stored, those of secret outputs are replaced, and of session values only \
        the names are shown. \(SessionPlaceOptions.help)
        """
    )

    @Argument(help: "The session's ID, which logs and 'session list' contain.")
    var id: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var place: SessionPlaceOptions
    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await place.administration(storage)
        guard let shown = try await administration.details(of: administration.knownSession(id)) else {
            throw CommandError("The session '\(id.printable)' has ended.")
        }
        if json { return Terminal.print(json: shown.value) }
        for line in shown.lines { Terminal.print(line) }
    }
}
