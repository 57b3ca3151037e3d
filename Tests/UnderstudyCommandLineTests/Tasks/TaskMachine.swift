/// A machine as the pages in docs/tasks describe it, in a temporary folder: the program is installed as the service `understudy` of
/// systemd, with its settings in /etc/understudy and its data in /var/lib/understudy.
///
/// Commands run in a shell with the real programs. `sudo` runs a command as the current user, `journalctl` prints what the service
/// has logged, and the test itself executes the commands of `systemctl` and `apt`.
final class TaskMachine {
    let workplace: Workplace
    let reserved: [ReservedPort]
    /// Kept, because PostgreSQL stops with the object.
    let cluster: Cluster?
    var server: Program?
    /// The texts in pages, each with that of this machine.
    var names: [(page: String, here: String)]

    /// The port for users.
    var port: UInt16 { reserved[0].number }
    /// The port for operators.
    var adminPort: UInt16 { reserved[1].number }
    /// The number of the server's process; `nil` if none runs.
    var process: Int32? { server?.id }

    /// - Parameters:
    ///   - settings: further lines of the configuration file.
    ///   - hashMemory: the setting `hash-memory`.
    ///   - cluster: the server of the database that pages call `postgresql://understudy@db.example.com/understudy`.
    init(settings: [String] = [], hashMemory: String = "8KiB", cluster: Cluster? = nil) async throws {
        workplace = Workplace()
        reserved = try [ReservedPort(), ReservedPort()]
        self.cluster = cluster
        let folder = workplace.folder.path
        // Longer texts first, so that none replaces a part of another one.
        names = cluster.map { [("postgresql://understudy@db.example.com/understudy", $0.uri)] } ?? []
        names += ["/var/lib/understudy", "/etc/understudy", "/etc/systemd", "/usr/share/doc/understudy"].map {
            ($0, folder + $0)
        }
        names += [("localhost:8080", "localhost:\(reserved[0].number)")]
        names += [("localhost:9090", "localhost:\(reserved[1].number)")]
        // The group of the service does not exist here.
        names += [("--group understudy ", "")]
        for path in ["home", "var/lib/understudy"] {
            try FileManager.default.createDirectory(
                at: workplace.folder.appending(path: path),
                withIntermediateDirectories: true
            )
        }
        let lines =
            ["port: \(port)", "admin-port: \(adminPort)", "log-format: json", "hash-memory: \(hashMemory)"]
            + ["hash-iterations: 1"] + settings.map { $0.replacing(" /", with: " \(folder)/") }
        try workplace.file("etc/understudy/understudy.yaml", lines.map { $0 + "\n" }.joined())
        let example = try Checkout.text("packaging/debian/network.conf")
        try workplace.file("usr/share/doc/understudy/examples/network.conf", example)
        try workplace.file("journal", "")
        try await workplace.program("sudo", #"if [ "$1" = -u ]; then shift 2; fi; exec "$@""#)
        try await workplace.program("understudy", "exec '\(Program.executable.path)' \"$@\"")
        try await workplace.program("journalctl", "exec cat '\(folder)/journal'")
    }

    /// Stops the server without waiting. Each test calls this at its end.
    func remove() { server?.kill() }

    /// A file of the machine.
    func file(_ path: String) -> URL { workplace.folder.appending(path: path) }

    /// What the service has logged.
    var journal: String { get throws { try workplace.text("journal") } }

    // MARK: Commands

    /// Runs a command of a page, and expects that it succeeds and prints what the page shows.
    func run(_ sample: ConsoleSample, of page: String) async throws {
        let place = "docs/tasks/\(page).md:\(sample.line)"
        let lines = try await run(sample.command, place: place)
        let shown = sample.output.filter { !$0.isEmpty }
        let isShown = TaskOutput.matches(lines[...], shown[...])
        #expect(isShown, "\(place): \(sample.command)\n\(lines.text)")
        guard isShown else { return }
        // Later commands of the page name the things that this one has printed.
        let here = lines.flatMap(TaskOutput.identifiers)
        let there = shown.flatMap(TaskOutput.identifiers)
        guard here.count == there.count else { return }
        for (here, there) in zip(here, there) where !names.contains(where: { $0.page == there }) {
            names.append((there, here))
        }
    }

    /// Runs a command, and returns the lines that it prints, as pages show them.
    @discardableResult
    func run(_ command: String, input: String = "", place: String = "") async throws -> [String] {
        if try await runsService(command) { return [] }
        #expect(command.firstMatch(of: /\b(?:systemctl|apt)\b/) == nil, "\(place): \(command)")
        let here = names.reduce(command) { $0.replacing($1.page, with: $1.here) }
        let folder = workplace.folder.path
        let script = "cd '\(folder)/home'; PATH='\(folder)':$PATH; { \(here)\n} 2>&1"
        let shell = try Program(
            ["-eo", "pipefail", "-c", script],
            environment: environment,
            input: input,
            running: "/bin/bash"
        )
        defer { shell.kill() }
        let result = await shell.result()
        #expect(result.status == 0, "\(place): \(command)\n\(result.output.text)")
        return result.output.filter { !$0.isEmpty }
            .map { line in names.reduce(line) { $1.here.isEmpty ? $0 : $0.replacing($1.here, with: $1.page) } }
    }

    var environment: [String: String] {
        let folder = workplace.folder.path
        return [
            "UNDERSTUDY_CONFIG": "\(folder)/etc/understudy/understudy.yaml",
            "UNDERSTUDY_DATA": "\(folder)/var/lib/understudy", "UNDERSTUDY_LOG_FORMAT": "json",
            "UNDERSTUDY_ADMIN_PORT": "\(adminPort)",
        ]
    }

    // MARK: The service

    /// Executes a command that changes the service; `false` if this is another command.
    func runsService(_ command: String) async throws -> Bool {
        switch command {
        case "sudo systemctl daemon-reload": break
        case "sudo systemctl start understudy.socket understudy.service": try await start()
        case "sudo systemctl stop understudy.socket understudy.service": try await stop()
        case "sudo systemctl restart understudy":
            try await stop()
            try await start()
        case "sudo systemctl reload understudy": try await reload()
        case _ where command.hasPrefix("sudo apt install "):
            // The package starts the service.
            try await start()
        default: return false
        }
        return true
    }

    /// Starts the server unless it runs, and waits until it listens.
    func start() async throws {
        guard server == nil else { return }
        let folder = workplace.folder.path
        let program = try Program(
            ["serve"],
            environment: environment,
            shell: #"cd '\#(folder)'; exec "$0" "$@" 2>>journal"#
        )
        server = program
        guard await program.output.next(containing: "Listening on ") != nil else {
            program.kill()
            Issue.record("the server does not start: \(try journal)")
            throw NotListening(result: await program.result())
        }
    }

    /// Stops the server, and waits until it has stopped.
    func stop() async throws {
        guard let program = server else { return }
        await program.end(SIGTERM).expect(status: 0)
        server = nil
    }

    func reload() async throws {
        let reloads = { [self] in try journal.components(separatedBy: #""message":"Reloaded""#).count }
        let before = try reloads()
        server?.send(SIGHUP)
        #expect(try await eventually { try reloads() > before })
    }
}
