import ArgumentParser
import BusinessLogic
import Understudy

/// The option that says where servers have their sessions, of commands that need them in the database.
struct SessionPlaceOptions: ParsableArguments {
    @Option(help: "Where the servers have their sessions: memory or database. (default: memory)")
    var sessions: SessionMode?

    /// The help about where sessions are.
    static let help = """
        The command needs 'sessions database': the sessions of all servers are in the database, also while no server runs. With 'sessions memory', which \
        is the default, the pages for operators of a server list, show and end its sessions.
        """

    /// Checks that the sessions are in the database.
    ///
    /// - Throws: ``CommandError`` if they are not, with what to do instead.
    func requireDatabase(_ settings: SettingsReader) throws {
        guard try settings.value(sessions, Settings.sessions) == .memory else { return }
        throw CommandError(
            """
            With 'sessions memory', each server has its sessions in its memory: list, show and end them on its pages for operators, which \
            'admin-token-file' switches on, or log a user out everywhere with 'account logout'. If the servers have their sessions in the \
            database, add '--sessions database'.
            """
        )
    }

    /// The sessions in the database.
    ///
    /// - Throws: ``CommandError`` if they are not there, or there is no database.
    func stored(_ storage: StorageOptions) async throws -> StoredSessions {
        let settings = try storage.configuration.settings()
        try requireDatabase(settings)
        let opened = try await AdminContext.open(storage, settings, creating: false)
        return StoredSessions(opened.database, clock: opened.clock ?? SystemClock())
    }
}
