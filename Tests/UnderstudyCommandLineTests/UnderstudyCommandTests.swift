import MicroHTTP
import Testing
import Understudy

@Suite(.timeLimit(.minutes(1))) struct UnderstudyCommandTests {
    @Test func `it prints its version, and that of the library that runs`() async throws {
        let result = try await Program.run("--version")
        #expect(result.status == 0)
        let version = try #require(result.output.first)
        #expect(version.hasPrefix("understudy \(UnderstudyService.version) ("))
        #expect(version.hasSuffix("libmicrohttpd \(Server.libraryVersion))"))
        #expect(result.output.count == 1)
        #expect(result.errors == [])
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], []])
    func `it explains itself`(arguments: [String]) async throws {
        let program = try Program(arguments)
        defer { program.kill() }
        let result = await program.result()
        #expect(result.status == 0)
        #expect(result.errors == [])
        let text = result.output.joined(separator: "\n")
        for word in [
            "serve", "account", "products", "backup", "healthcheck", "openapi", "--version", "--help",
            "understudy serve --demo",
        ] {
            #expect(text.contains(word), "\(word)")
        }
    }

    @Test(arguments: ["serve", "account", "products", "backup", "healthcheck", "openapi"])
    func `it explains its parts`(name: String) async throws {
        for arguments in [[name, "--help"], ["help", name]] {
            let program = try Program(arguments)
            defer { program.kill() }
            let result = await program.result()
            #expect(result.status == 0)
            #expect(result.output.contains { $0.hasPrefix("USAGE: understudy \(name)") })
        }
    }

    @Test(arguments: [
        ["nonsense"], ["--nonsense"], ["serve", "nonsense"], ["serve", "--nonsense"], ["openapi", "nonsense"],
    ])
    func `what it does not know is one line of error`(arguments: [String]) async throws {
        let program = try Program(arguments)
        defer { program.kill() }
        let result = await program.result()
        #expect(result.status == 64)
        #expect(result.output == [])
        #expect(result.errors.count == 1)
        #expect(result.errors.first?.hasPrefix("error: ") == true)
        #expect(result.errors.first?.contains("nonsense") == true)
    }
}
