import ArgumentParser
import SessionStorage

/// `understudy session end`.
struct SessionEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "end",
        "End sessions.",
        """
        Without an ID or an option that selects sessions, it ends none; '--older-than 0s' selects all. If an ID is unknown, no session ends. \
        An event that a server handles at this moment is not stored; the next request of the session starts a new one, or gets 401. \
        A user can log in again: to prevent this, disable the account. \(SessionPlaceOptions.help)
        """
    )

    @Argument(help: "The IDs of sessions, which 'session list' shows.")
    var ids: [String] = []

    @OptionGroup var selection: SessionSelection

    @OptionGroup(title: "Storage") var place: SessionPlaceOptions
    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func validate() throws {
        guard ids.isEmpty != selection.isEmpty else {
            throw ValidationError("Name the sessions by their IDs, or select them with options, not both.")
        }
    }

    func run() async throws {
        let administration = try await place.administration(storage, by: `operator`)
        // All before the first one ends, because the list could miss some otherwise.
        var sessions: [ListedSession] = []
        for id in ids { sessions.append(try await administration.knownSession(id)) }
        if ids.isEmpty { try await administration.forEachSession(selection) { sessions.append($0.session) } }
        for session in sessions { try await administration.end(session) }
        Terminal.print("Ended \(String.count(sessions.count, "session")).")
    }
}
