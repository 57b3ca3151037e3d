/// The units of the Debian package, checked by systemd-analyze.
@Suite(.enabled(if: Units.canBeChecked), .fiveMinutes) struct SystemdUnitTests {
    @Test func `systemd finds nothing wrong with the units`() async throws {
        let units = try Units()
        let result = try await units.analyze(["verify", units.service, units.socket, units.metricsSocket])
        #expect(result.ending == .exit(0))
        #expect(result.output == "")
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
        let arguments = ["security", "--offline=true", "--no-pager", "--threshold=6", units.service]
        let result = try await units.analyze(arguments)
        #expect(result.ending == .exit(0), "\(result.output)")
    }
}

/// Copies of the units with an executable that exists.
private final class Units {
    let workplace = Workplace()
    var folder: URL { workplace.folder }
    var service: String { folder.appendingPathComponent("understudy.service").path }
    var socket: String { folder.appendingPathComponent("understudy.socket").path }
    var metricsSocket: String { folder.appendingPathComponent("understudy-metrics.socket").path }

    static let program = "/usr/bin/systemd-analyze"

    static var canBeChecked: Bool { FileManager.default.isExecutableFile(atPath: program) }

    init() throws {
        for unit in [service, socket, metricsSocket] {
            let name = URL(fileURLWithPath: unit).lastPathComponent
            let file = name.hasPrefix("understudy-") ? "understudy.\(name)" : name
            try Checkout.text("packaging/debian/\(file)")
                .replacingOccurrences(of: "/usr/bin/understudy", with: "/bin/true")
                // The manual pages are in the package, which is not installed here.
                .replacing(/Documentation=.*\n/, with: "")
                .write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }

    func analyze(_ arguments: [String]) async throws -> (ending: ChildProcess.Ending, output: String) {
        let path = folder.appendingPathComponent("output")
        try Data().write(to: path)
        let output = try FileHandle(forWritingTo: path)
        let descriptor = output.fileDescriptor
        let ending = try await ChildProcess(Self.program, arguments, output: descriptor, errors: descriptor).end()
        return (ending, try String(contentsOf: path, encoding: .utf8))
    }
}
