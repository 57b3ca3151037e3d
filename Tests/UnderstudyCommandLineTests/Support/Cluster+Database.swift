extension Cluster {
    /// Creates an empty database in the cluster that tests share, and returns its URI.
    static func newDatabase() throws -> String {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try PostgreSQLTestSupport.Command.run(["psql", "--quiet", "--command", "CREATE DATABASE \(name)", shared.uri])
        return shared.uri.dropLast("postgres".count) + name
    }
}
