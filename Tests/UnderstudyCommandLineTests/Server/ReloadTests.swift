import Glibc
import HTTPTestClient
import Synchronization
import Testing

/// What SIGHUP does, however the server was started.
@Suite(.timeLimit(.minutes(5))) struct ReloadTests {
    private let workplace = Workplace()

    @Test func `SIGHUP applies the level of the log in the configuration file, and keeps it if the file is invalid`()
        async throws
    {
        let file = try workplace.file("settings.yaml", "log-level: error\n")
        try await withServer(environment: ["UNDERSTUDY_CONFIG": file]) { program, port async throws in
            #expect(try await HTTPTestClient.request("GET", "/products", port: port).status == 200)
            _ = try workplace.file("settings.yaml", "log-level: info\n")
            program.send(SIGHUP)
            #expect(await program.errors.next()?.contains("Reloaded changed=log-level log-level=info") == true)
            #expect(try await HTTPTestClient.request("GET", "/products?second", port: port).status == 200)
            #expect(await program.errors.next()?.contains("Request") == true)
            _ = try workplace.file("settings.yaml", "log-level: loud\n")
            program.send(SIGHUP)
            #expect(await program.errors.next()?.contains("The settings are not reloaded") == true)
        }
    }
}

/// A flag that a task raises for another one.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
}
