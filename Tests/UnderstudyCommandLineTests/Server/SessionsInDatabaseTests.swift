import Foundation
import Glibc
import HTTPTestClient
import PostgreSQLTestSupport
import Testing

/// Servers that store each event before they respond.
@Suite(.timeLimit(.minutes(5)), .serialized) struct SessionsInDatabaseTests {
    @Test func `a killed server has lost nothing that it has acknowledged`() async throws {
        let workplace = try Workplace()
        try await workplace.add()
        var token = ""
        let environment = workplace.environment.merging(["UNDERSTUDY_SESSIONS": "database"]) { $1 }
        try await withServer(environment: environment) { program, port async throws in
            token = try #require(try await logIn(port))
            #expect(try await post("/register", "userID=012345678912", token, port).status == 200)
            program.send(SIGKILL)
            _ = await program.result()
        }
        try await withServer(environment: environment) { _, port async throws in
            let next = try await post("/register", "userID=012345678912", token, port)
            #expect(next.text.hasPrefix(#"{"sequence":5,"#), "\(next.text)")
            let export = try await workplace.run("account", "export", "bruce@example.com")
            #expect(export.output.contains { $0.contains("012345678912") })
            let session = try await get("/session", token, port)
            #expect(session.text.contains(#""username":"bruce@example.com""#), "\(session.text)")
            _ = try await workplace.run("account", "disable", "bruce@example.com")
            #expect(try await get("/session", token, port).status == 401)
        }
    }

    @Test func `servers with one PostgreSQL database share accounts and sessions`() async throws {
        let cluster = try Cluster()
        let workplace = try Workplace()
        let environment = workplace.environment.merging([
            "UNDERSTUDY_DATABASE": cluster.uri, "UNDERSTUDY_SESSIONS": "database",
        ]) { $1 }
        try await withServer(environment: environment) { first, port async throws in
            try await withServer(environment: environment) { _, other async throws in
                try await workplace.add("bruce@example.com", "--database", cluster.uri)
                let token = try #require(try await logIn(port))
                #expect(try await post("/register", "userID=012345678912", token, other).status == 200)
                let answer = try await post("/register", "userID=1", token, port, key: "k")
                #expect(try await post("/register", "userID=1", token, other, key: "k").text == answer.text)
                first.send(SIGKILL)
                _ = await first.result()
                #expect(try await get("/session", token, other).status == 200)
                _ = try await workplace.run("account", "disable", "bruce@example.com", "--database", cluster.uri)
                #expect(try await get("/session", token, other).status == 401)
            }
        }
    }

    @Test func `a command shows and changes the version of the tables`() async throws {
        let cluster = try Cluster()
        let workplace = try Workplace()
        let locations = [
            (workplace.folder.path + "/new.sqlite", workplace.folder.path + "/new.sqlite"), (cluster.uri, "@"),
        ]
        for (database, name) in locations {
            let missing = try await workplace.run("database", "status", "--database", database)
            #expect(missing.status == 1)
            #expect(missing.errors.last?.contains("'database migrate' creates") == true)
            let migrated = try await workplace.run("database", "migrate", "--database", database)
            #expect(migrated.output.first?.contains("the tables now have version") == true)
            #expect(migrated.output.first?.contains(name) == true)
            let current = try await workplace.run("database", "status", "--database", database)
            #expect(current.status == 0)
            #expect(current.output.first?.contains("which is current") == true)
        }
    }
}
