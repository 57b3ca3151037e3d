/// The pages in docs/tasks: each command runs in the page's order, prints what the page shows, and has the effect that the page states.
@Suite(.fiveMinutes) struct TaskPagesTests {
    @Test func `each page for a task has a test that runs its commands`() throws {
        let pages = try Files.names(in: TaskPage.folder.path)
        #expect(
            Set(pages) == [
                "rotate-a-certificate.md", "find-a-slow-page.md", "end-a-users-sessions.md", "move-to-postgresql.md",
                "upgrade-several-servers.md", "restore-a-backup.md",
            ]
        )
    }

    @Test func `the ID of a session is one also without a digit`() {
        #expect(TaskOutput.identifiers(in: "deadbeef  2026-11-26T11:12:59Z  2") == ["deadbeef"])
    }

    // MARK: Users

    /// Adds an account with ``Workplace/password`` and an address that begins with the name.
    func add(_ name: String, on machine: TaskMachine) async throws {
        let command = "understudy account add --email \(name.lowercased())@rules.example --name \(name)"
        try await machine.run(command, input: Workplace.password + "\n")
    }

    /// The token of a new session in which a user has logged in; `nil` if the login fails.
    func logIn(_ name: String = "lisa", on machine: TaskMachine) async throws -> String? {
        try await UnderstudyCommandLineTests.logIn(machine.port, "\(name)@rules.example")
    }

    /// The status of a session's next request.
    func status(_ token: String, on machine: TaskMachine) async throws -> Int {
        try await get("/session", token, machine.port).status
    }

    // MARK: Pages

    @Test(.enabled(if: TestCertificate.canBeMade))
    func `rotate a certificate: connections and sessions stay, and the server goes back`() async throws {
        let (old, new) = (try await TestCertificate(), try await TestCertificate())
        let machine = try await TaskMachine(settings: [
            "sessions: memory", "tls-certificate: /etc/understudy/certificate.pem", "tls-key: /etc/understudy/key.pem",
        ])
        defer { machine.remove() }
        for (certificate, folder) in [(old, "etc/understudy"), (new, "home")] {
            try Data(certificate.certificate).write(to: machine.file(folder + "/certificate.pem"))
            try Data(certificate.key).write(to: machine.file(folder + "/key.pem"))
        }
        try await machine.start()
        let early = try await HTTPTestClient(tlsPort: machine.port, trusting: old)
        let token = try #require(await early.request("POST", "/session").token)
        func history(_ client: HTTPTestClient) async throws -> Int {
            try await client.request("GET", "/session/history", headers: ["Authorization": "Bearer \(token)"]).status
        }

        let page = try TaskPage("rotate-a-certificate")
        try await page.run("Install the new files", on: machine)
        #expect(try await history(early) == 200)
        #expect(try await history(HTTPTestClient(tlsPort: machine.port, trusting: new)) == 200)
        try await page.run("See that it worked", on: machine)
        try await page.run("Go back", on: machine)
        #expect(try await history(HTTPTestClient(tlsPort: machine.port, trusting: old)) == 200)
        #expect(try await history(early) == 200)
        try await page.run("If systemd reads the files for the server", on: machine)
        #expect(try await history(HTTPTestClient(tlsPort: machine.port, trusting: old)) == 200)
        page.expectEnd()
    }

    @Test func `find a slow page: its commands lead from averages to the request and what took time`() async throws {
        let machine = try await TaskMachine(hashMemory: "64MiB")
        defer { machine.remove() }
        try await add("Lisa", on: machine)
        try await machine.start()
        for _ in 1...3 { #expect(try await logIn(on: machine) != nil) }
        for _ in 1...5 { _ = try await get("/register", machine.port) }
        #expect(try await eventually { try machine.journal.components(separatedBy: "understudy.access").count > 11 })

        let page = try TaskPage("find-a-slow-page")
        try await page.run("Find the page", on: machine)
        try await page.run("Find its slowest requests", on: machine)
        try await page.run("See where the time went", on: machine)
        page.expectEnd()
        let pattern = /"duration":([0-9.]+),"event":"loginButtonPressed","hash":([0-9.]+)/
        let logins = try machine.journal.matches(of: pattern)
        let slowest = try #require(logins.compactMap { Double($0.1) }.max())
        let hashing = try #require(logins.first { Double($0.1) == slowest }.flatMap { Double($0.2) })
        #expect(hashing > slowest / 2)
    }

    @Test func `end a user's sessions: each gets 401, and a disabled user logs in after the way back`() async throws {
        let machine = try await TaskMachine(settings: ["sessions: database"])
        defer { machine.remove() }
        for user in ["Lisa", "Homer"] { try await add(user, on: machine) }
        try await machine.start()
        let other = try #require(await logIn("homer", on: machine))
        var sessions: [String] = []
        for _ in 1...2 { sessions.append(try #require(await logIn(on: machine))) }
        func expectStatuses(_ first: Int, _ second: Int) async throws {
            #expect(try await status(sessions[0], on: machine) == first)
            #expect(try await status(sessions[1], on: machine) == second)
            #expect(try await status(other, on: machine) == 200)
        }

        let page = try TaskPage("end-a-users-sessions")
        try await expectStatuses(200, 200)
        try await page.run("End one session", on: machine)
        try await expectStatuses(401, 200)
        try await page.run("Log a user out everywhere", on: machine)
        try await expectStatuses(401, 401)
        #expect(try await logIn(on: machine) == nil)
        try await page.run("See that it worked", on: machine)
        try await page.run("Go back", on: machine)
        #expect(try await logIn(on: machine) != nil)
        page.expectEnd()
    }

    @Test func `move to PostgreSQL: accounts and sessions are there, and the file is as it was`() async throws {
        let machine = try await TaskMachine(cluster: try Cluster())
        defer { machine.remove() }
        try await add("Lisa", on: machine)
        try await machine.start()
        let token = try #require(await logIn(on: machine))

        let page = try TaskPage("move-to-postgresql")
        try await page.run("Prepare", on: machine)
        try await page.run("Give the service a network", on: machine)
        try await page.run("Copy the data", on: machine)
        try await page.run("Start with PostgreSQL", on: machine)
        #expect(try await status(token, on: machine) == 200)
        #expect(try await logIn(on: machine) != nil)
        try await page.run("See that it worked", on: machine)
        try await add("Homer", on: machine)
        #expect(try await logIn("homer", on: machine) != nil)
        try await page.run("Go back", on: machine)
        #expect(try await logIn(on: machine) != nil)
        #expect(try await logIn("homer", on: machine) == nil)
        page.expectEnd()
    }

    @Test(.enabled(if: NginxProcess.isInstalled))
    func `upgrade several servers: no request of a client fails, and no session is lost`() async throws {
        let cluster = try Cluster()
        // The client sends requests without a pause, which the limit for its address would reject.
        let settings = [
            "sessions: database", "database: \(cluster.uri)", "trusted-proxies: 127.0.0.1", "requests: off",
        ]
        let machines = [
            try await TaskMachine(settings: settings, cluster: cluster),
            try await TaskMachine(settings: settings, cluster: cluster),
        ]
        defer { for machine in machines { machine.remove() } }
        for machine in machines { try await machine.start() }
        try await add("Lisa", on: machines[0])
        let processes = machines.map(\.process)
        let reserved = try ReservedPort()
        let balancer = try await NginxProcess(
            "cluster",
            [
                ("127.0.0.1:8081", "127.0.0.1:\(machines[0].port)"),
                ("127.0.0.1:8082", "127.0.0.1:\(machines[1].port)"),
                ("127.0.0.1:8000", "127.0.0.1:\(reserved.number)"),
                // Each restart of a server takes so long at least, until nginx tries it again.
                ("fail_timeout=2s", "fail_timeout=1s"),
            ]
        )
        defer { balancer.stop() }
        let token = try #require(await logIn(on: machines[0]))

        let page = try TaskPage("upgrade-several-servers")
        let port = reserved.number
        let client = Task { try await sendRequests(token, port) }
        try await page.run("Prepare", on: machines[0])
        try await page.run("Upgrade each server", on: machines[0], machines[1])
        try await page.run("See that it worked", on: machines[0], machines[1])
        #expect(zip(processes, machines).allSatisfy { $0 != $1.process && $1.process != nil })
        try await page.run("Go back", on: machines[0], machines[1])
        client.cancel()
        let statuses = try await client.value
        #expect(statuses.count > 100)
        #expect(statuses.filter { $0 != 200 } == [])
        page.expectEnd()
    }

    @Test func `restore a backup: the data is that of the backup, sessions end, and going back works`() async throws {
        let cluster = try Cluster()
        let server = try await TaskMachine(
            settings: ["sessions: database", "database: \(cluster.uri)"],
            cluster: cluster
        )
        let machines = [try await TaskMachine(), server]
        defer { for machine in machines { machine.remove() } }
        let page = try TaskPage("restore-a-backup")
        for (machine, headings) in zip(
            machines,
            [
                ["Back up", "Restore", "Go back"],
                ["Back up PostgreSQL", "Restore PostgreSQL", "Go back to the replaced contents"],
            ]
        ) {
            try await add("Lisa", on: machine)
            try await machine.start()
            let token = try #require(await logIn(on: machine))
            try await page.run(headings[0], on: machine)
            try await add("Homer", on: machine)
            try await machine.run("understudy account disable lisa@rules.example")
            #expect(try await logIn("homer", on: machine) != nil)
            try await page.run(headings[1], on: machine)
            #expect(try await status(token, on: machine) == 401)
            #expect(try await logIn(on: machine) != nil)
            #expect(try await logIn("homer", on: machine) == nil)
            try await page.run(headings[2], on: machine)
            #expect(try await logIn(on: machine) == nil)
            #expect(try await logIn("homer", on: machine) != nil)
        }
        page.expectEnd()
    }
}

/// Sends events of a session and reads it, one request after the other until the task is cancelled, and returns the statuses.
private func sendRequests(_ token: String, _ port: UInt16) async throws -> [Int] {
    var statuses: [Int] = []
    while !Task.isCancelled {
        statuses.append(try await post("/home", "event=viewDidLoad", token, port).status)
        statuses.append(try await get("/session", token, port).status)
    }
    return statuses
}
