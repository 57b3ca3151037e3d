import Foundation
import PostgreSQLTestSupport
import Testing

/// The ports of a server.
struct ServerPorts {
    let users: UInt16
    let operators: UInt16
}

extension Workplace {
    /// Runs a server with an account, `bruce@example.com`, and passes its ports and the options that name its database.
    func withServer(
        usesPostgreSQL: Bool = false,
        _ options: [String],
        body: (_ ports: ServerPorts, _ database: [String]) async throws -> Void
    ) async throws {
        let cluster = usesPostgreSQL ? try Cluster() : nil
        let database = cluster.map { ["--database", $0.uri] } ?? []
        #expect(try await add("bruce@example.com", database).status == 0)
        let arguments = ["serve", "--port", "0", "--admin-port", "0"] + options + database
        let program = try Program(arguments, environment: environment)
        defer { program.kill() }
        let operators = try await program.operatorsPort
        try await body(ServerPorts(users: program.port, operators: operators), database)
    }
}
