import Foundation
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
            #expect(await program.errors.next()?.contains("Reloaded only the log file and the certificate") == true)
        }
    }

    @Test func `a log file that is moved under load has each line in one of the files once`() async throws {
        let path = workplace.folder.appendingPathComponent("understudy.log").path
        let program = try Program(
            ["serve", "--port", "0", "--demo"],
            environment: ["LOG": path],
            shell: #"exec "$0" "$@" 2>>"$LOG""#
        )
        defer { program.kill() }
        let port = try await program.port
        let requests = 3000
        try await rotate(path, program) {
            let client = try await HTTPTestClient(port: port)
            for number in 0..<requests {
                _ = try await client.request("GET", "/products", headers: ["X-Request-ID": "n-\(number)"])
            }
        }
        program.send(SIGTERM)
        #expect(await program.result().status == 0)
        let lines = try await workplace.lines(beginningWith: "understudy.log").filter { $0.contains("request=n-") }
        #expect(lines.count == requests)
        #expect(Set(lines.compactMap { $0.firstMatch(of: /n-[0-9]+/)?.output }).count == requests)
    }

    // MARK: Helpers

    /// Moves a file and sends SIGHUP again and again while `body` runs.
    private func rotate(
        _ path: String,
        _ program: Program,
        during body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let isDone = Flag()
        async let work: Void = {
            defer { isDone.raise() }
            try await body()
        }()
        var count = 0
        repeat {
            count += 1
            #expect(rename(path, "\(path).\(count)") == 0)
            // Once, also directly after the server listens: no signal is lost.
            program.send(SIGHUP)
            #expect(try await eventually { access(path, F_OK) == 0 })
        } while !isDone.isRaised
        try await work
        #expect(count > 1)
    }
}

/// A flag that a task raises for another one.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
}

extension Workplace {
    /// The lines of all files whose names begin with the text, also of compressed ones.
    fileprivate func lines(beginningWith name: String) async throws -> [String] {
        let script = #"zcat --force "$1"/"$2"*"#
        return try await Program(["-c", script, "sh", folder.path, name], running: "/bin/sh").result().output
    }
}
