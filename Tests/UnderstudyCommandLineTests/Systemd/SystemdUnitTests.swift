/// The units of the Debian package, checked by systemd-analyze.
@Suite(.enabled(if: Units.canBeChecked), .fiveMinutes) struct SystemdUnitTests {
    @Test func `systemd finds nothing wrong with the units`() async throws {
        let units = try Units()
        let result = try await units.analyze("verify", units.service, units.socket, units.metricsSocket)
        result.expect(status: 0, output: [], errors: [])
    }

    /// Otherwise, libdispatch logs this for each thread.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
    func `the limit of the service permits each niceness that its threads ask for`() async throws {
        let units = try Units()
        // The files exist as long as the object.
        let unit = try withExtendedLifetime(units) { try String(contentsOfFile: units.service, encoding: .utf8) }
        let limit = try #require(unit.firstMatch(of: /LimitNICE=(-?[0-9]+)/).flatMap { Int($0.output.1) })
        let program = try Program(
            ["serve", "--port", "0", "--demo"],
            shell: #"exec strace -D -f -qq -e trace=setpriority "$0" "$@""#
        )
        defer { program.kill() }
        #expect(await program.output.next(containing: "Listening on ") != nil)
        program.send(SIGTERM)
        // A call can be 'unfinished' in its line, without a parenthesis.
        let asked = await program.result().errors
            .compactMap { $0.firstMatch(of: /setpriority\(PRIO_PROCESS, 0, (-?[0-9]+)/).flatMap { Int($0.output.1) } }
        #expect(asked.min() == limit, "\(asked)")
    }

    @Test func `the service is isolated`() async throws {
        let units = try Units()
        // In tenths; an unrestricted service has 100.
        let result = try await units.analyze("security", "--offline=true", "--no-pager", "--threshold=6", units.service)
        #expect(result.status == 0, "\(result.output)")
    }
}

/// Copies of the units with an executable that exists.
private final class Units {
    let workplace = Workplace()
    var service: String { workplace.path("understudy.service") }
    var socket: String { workplace.path("understudy.socket") }
    var metricsSocket: String { workplace.path("understudy-metrics.socket") }

    static let program = "/usr/bin/systemd-analyze"

    static var canBeChecked: Bool { FileManager.default.isExecutableFile(atPath: program) }

    init() throws {
        for unit in [service, socket, metricsSocket] {
            let name = URL(fileURLWithPath: unit).lastPathComponent
            let file = name.hasPrefix("understudy-") ? "understudy.\(name)" : name
            let text = try Checkout.text("packaging/debian/\(file)").replacing("/usr/bin/understudy", with: "/bin/true")
                // The manual pages are in the package, which is not installed here.
                .replacing(/Documentation=.*\n/, with: "")
            try workplace.file(name, text)
        }
    }

    func analyze(_ arguments: String...) async throws -> Program.Result {
        try await Program(arguments, running: Self.program).result()
    }
}
