import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic
import SessionStorage
import Understudy

/// `understudy session end`.
struct SessionEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End sessions on all servers.",
        discussion: """
            An event that a server handles at this moment is not stored; the next request of the session starts a new one, or gets 401. \
            A user can log in again: to prevent this, disable the account. \(HelpText.exit)
            """
    )

    @Argument(help: "The IDs of sessions, which 'session list' shows.")
    var ids: [String] = []

    @OptionGroup var selection: SessionSelection

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions
    @OptionGroup var `operator`: OperatorOptions

    func validate() throws {
        guard ids.isEmpty != selection.isEmpty else {
            throw ValidationError("Name the sessions by their IDs, or select them with options.")
        }
    }

    func run() async throws {
        let settings = try await storage.configuration.settings()
        let context = try await AdminContext(storage, audit, `operator`, nil, settings)
        var sessions: [ListedSession] = []
        if ids.isEmpty {
            let filter = try await selection.filter(in: context.database, at: context.clock.now)
            // All before the first one ends, because the list could miss some otherwise.
            try await context.database.forEachSession {
                if filter.selects($0) { sessions.append($0) }
                return true
            }
        }
        for id in ids { sessions.append(try await context.database.session(brief: id)) }
        let store = context.database.sessions { 0 }
        for session in sessions {
            try await store.end(session.id)
            await context.record(.sessionEnded, account: session.user.flatMap(AccountID.init), reason: session.brief)
        }
        Terminal.print("Ended \(sessions.count) \(sessions.count == 1 ? "session" : "sessions").")
    }
}
