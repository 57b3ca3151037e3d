/// The ports of a server.
struct ServerPorts {
    let users: UInt16
    let operators: UInt16
}

extension Workplace {
    /// Runs a server with the folder's database on a free port while `body` runs.
    func withServer(
        _ options: [String] = [],
        environment: [String: String] = [:],
        body: (Program, UInt16) async throws -> Void
    ) async throws {
        let environment = self.environment.merging(environment) { $1 }
        try await UnderstudyCommandLineTests.withServer(options, environment: environment, body: body)
    }

    /// Runs a server with a port for operators and an account, `bruce@example.com`, and passes its ports and the options that name its
    /// database.
    func withOperatedServer(
        usesPostgreSQL: Bool = false,
        _ options: [String] = [],
        body: (_ ports: ServerPorts, _ database: [String]) async throws -> Void
    ) async throws {
        let database = usesPostgreSQL ? ["--database", try Cluster.newDatabase()] : []
        #expect(try await add("bruce@example.com", database).status == 0)
        try await withServer(["--admin-port", "0"] + options + database) { program, port in
            try await body(ServerPorts(users: port, operators: program.operatorsPort), database)
        }
    }
}
