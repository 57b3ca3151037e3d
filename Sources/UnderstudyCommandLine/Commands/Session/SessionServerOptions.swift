import ArgumentParser
import BusinessLogic
import Understudy

/// The options that name the running server whose memory contains the sessions.
struct SessionServerOptions: ParsableArguments {
    @Option(help: "Where the server has its sessions: memory or database. (default: memory)")
    var sessions: SessionMode?

    @OptionGroup var address: AdminAddressOptions

    @Option(help: "A file with the token of the server, for its sessions in memory.")
    var adminTokenFile: String?

    /// The help about where sessions are.
    static let help = """
        With 'sessions memory', which is the default, sessions are in the memory of the server: the command asks it on its port for operators, with \
        the token in the file that 'admin-token-file' names. With 'sessions database', they are in the database, also while no server runs.
        """

    /// Runs `body` with the sessions.
    ///
    /// - Parameters:
    ///   - name: the name of the operator.
    ///   - context: opens the audit log with the database, for a command that ends sessions there.
    func withSessions<Result>(
        _ storage: StorageOptions,
        _ settings: SettingsReader,
        as name: String = OperatorOptions.usualName,
        recordedBy context: (() async throws -> AdminContext)? = nil,
        _ body: (any OperatedSessions) async throws -> Result
    ) async throws -> Result {
        let isInMemory = try settings.value(sessions, Settings.sessions) == .memory
        guard isInMemory, let file = try settings.value(adminTokenFile, Settings.adminTokenFile) else {
            let hint = isInMemory ? "Those in the memory of a server need 'admin-token-file'." : nil
            if let context = try await context?() {
                return try await body(
                    StoredSessions(context.database, clock: context.clock, context: context, hint: hint)
                )
            }
            let opened = try await AdminContext.open(storage, settings, creating: false)
            return try await body(StoredSessions(opened.database, clock: opened.clock ?? SystemClock(), hint: hint))
        }
        guard storage.data == nil, storage.database == nil else {
            throw ValidationError(
                "'--data' and '--database' name no running server, which has the sessions in its memory: add '--sessions database', or leave them out."
            )
        }
        let client = try OperatorClient(try address.client(settings), token: OperatorToken(path: file), name: name)
        defer { client.logOut() }
        return try await body(ServerSessions(client: client))
    }
}
