import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct SessionRevocationsTests {
    @Test func `a login after a change of the account stays, also in the moment after the change`() async throws {
        let workplace = try Workplace()
        try await workplace.add("selina@example.com")
        try await workplace.withServer([]) { ports, _ in
            for _ in 1...3 {
                let selina = try #require(try await logIn(ports.users, "selina@example.com"))
                let former = try #require(try await logIn(ports.users))
                try await workplace.run("account", "logout", "bruce@example.com")
                let session = try #require(try await logIn(ports.users))
                #expect(try await get("/session", session, ports.users).status == 200)
                #expect(try await get("/session", former, ports.users).status == 401)
                // When this one ends, the server has ended all that the first command ends.
                try await workplace.run("account", "logout", "selina@example.com")
                while try await get("/session", selina, ports.users).status != 401 {}
                #expect(try await get("/session", session, ports.users).status == 200)
            }
        }
    }
}
