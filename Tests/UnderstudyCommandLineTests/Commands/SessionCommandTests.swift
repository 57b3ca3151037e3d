import Foundation
import HTTPTestClient
import Testing

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct SessionCommandTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// Runs a server that stores each event, with an account, and passes its port and the options that name its database.
    private func withServer(
        usesPostgreSQL: Bool,
        body: (_ port: UInt16, _ database: [String]) async throws -> Void
    ) async throws {
        try await workplace.withServer(usesPostgreSQL: usesPostgreSQL, ["--sessions", "database"]) { ports, database in
            try await body(ports.users, ["--sessions", "database"] + database)
        }
    }

    /// Runs a server with its sessions in memory, and passes its ports and the options that name its port for operators.
    private func withMemory(
        _ options: String...,
        body: (_ ports: ServerPorts, _ server: [String]) async throws -> Void
    ) async throws {
        let file = try workplace.file("token", "correct-horse-battery-staple\n")
        try await workplace.withServer(["--admin-token-file", file] + options) { ports, _ in
            try await body(ports, ["--admin-port", "\(ports.operators)", "--admin-token-file", file])
        }
    }

    private func lines(_ arguments: [String]) async throws -> [String] {
        let result = try await workplace.run(["session"] + arguments)
        #expect(result.errors == [])
        return Array(result.output)
    }

    @Test(arguments: [false, true])
    func `an operator finds a session by its user, sees what its pages show, and ends it`(usesPostgreSQL: Bool)
        async throws
    {
        try await withServer(usesPostgreSQL: usesPostgreSQL) { port, database in
            let stranger = try await newToken(port)
            _ = try await post("/register", "userID=12", stranger, port)
            let token = try #require(try await logIn(port))

            #expect(try await lines(["list"] + database).count == 3)
            let listed = try await lines(["list", "--account", "bruce@example.com"] + database)
            #expect(listed.count == 2)
            #expect(listed[1].hasSuffix("bruce@example.com"))
            let id = String(listed[1].prefix(8))

            let shown = try await lines(["show", id] + database)
            #expect(shown.first == "Session \(id)")
            #expect(shown.contains("    field username: bruce@example.com"))
            #expect(!shown.joined().contains(Workplace.password))
            let other = try #require(try await lines(["list", "--json"] + database).first { !$0.contains("bruce") })
            let otherID = try #require(other.firstMatch(of: /"id":"([0-9a-f]{8})"/)).1
            let texts = try await lines(["show", String(otherID)] + database)
            #expect(texts.contains("    shows errorMessage: A user ID has exactly twelve digits"))
            #expect(texts.contains { $0.hasSuffix("registration.invalidUserID") })

            #expect(try await post("/home", "event=viewDidLoad", token, port).status == 200)
            #expect(try await lines(["end", id, "--as", "marge"] + database) == ["Ended 1 session."])
            #expect(try await post("/home", "event=viewDidLoad", token, port).status == 401)
            #expect(try await post("/register", "userID=12", stranger, port).status == 200)
            let record = try #require(try await workplace.auditRecords().last)
            #expect(record.contains(#""event":"sessionEnded""#))
            #expect(record.contains(#""reason":"\#(id)","operator":"marge""#))
        }
    }

    @Test func `sessions are selected by their age, their last use and their address`() async throws {
        try await withServer(usesPostgreSQL: false) { port, database in
            _ = try await post("/register", "userID=12", try await newToken(port), port)
            #expect(try await lines(["list", "--older-than", "1h"] + database).count == 1)
            #expect(try await lines(["list", "--unused-for", "1h"] + database).count == 1)
            #expect(try await lines(["list", "--unused-for", "0s", "--older-than", "0s"] + database).count == 2)
            #expect(try await lines(["list", "--address", "192.0.2.7"] + database).count == 1)
            #expect(try await lines(["end", "--older-than", "1h"] + database) == ["Ended 0 sessions."])
            #expect(try await lines(["end", "--unused-for", "0s"] + database) == ["Ended 1 session."])
            #expect(try await lines(["list"] + database).count == 1)
        }
    }

    @Test func `the sessions in the memory of a server are found, shown and ended there`() async throws {
        try await withMemory("--trusted-proxies", "127.0.0.1") { ports, server in
            let stranger = try await newToken(ports.users, from: "192.0.2.7")
            _ = try await post("/register", "userID=12", stranger, ports.users)
            let token = try #require(try await logIn(ports.users))
            #expect(try await lines(["list"] + server).count == 3)
            let listed = try await lines(["list", "--account", "bruce@example.com"] + server)
            #expect(listed.count == 2)
            #expect(listed[1].hasSuffix("bruce@example.com"))
            let id = String(listed[1].prefix(8))
            let shown = try await lines(["show", id] + server)
            #expect(shown.first == "Session \(id)")
            #expect(shown.contains("    field username: bruce@example.com"))
            #expect(shown.contains("    1  login  goToPage  Home"))
            let json = try await lines(["show", id, "--json"] + server)
            #expect(json.count == 1)
            #expect(json[0].hasPrefix(#"{"id":"\#(id)","created":""#))
            #expect(!(json + shown).joined().contains(Workplace.password))

            let other = try await lines(["list", "--json", "--address", "192.0.2.7"] + server)
            #expect(other.count == 1)
            let otherID = try #require(other.first?.firstMatch(of: /"id":"([0-9a-f]{8})"/)).1
            let texts = try await lines(["show", String(otherID)] + server)
            #expect(texts.contains("    shows errorMessage: A user ID has exactly twelve digits"))

            #expect(try await lines(["end", id, "--as", "marge"] + server) == ["Ended 1 session."])
            #expect(try await post("/home", "event=viewDidLoad", token, ports.users).status == 401)
            #expect(try await post("/register", "userID=12", stranger, ports.users).status == 200)
            let records = try await workplace.auditRecords()
            let record = try #require(records.last { $0.contains(#""event":"sessionEnded""#) })
            #expect(record.contains(#""reason":"\#(id)""#) && record.contains(#""operator":"marge""#))
            #expect(try await lines(["list", "--older-than", "1h"] + server).count == 1)
            #expect(try await lines(["end", "--unused-for", "0s"] + server) == ["Ended 1 session."])
            #expect(try await lines(["list"] + server).count == 1)
        }
    }

    @Test func `all sessions of a server are listed, however many there are`() async throws {
        try await withMemory { ports, server in
            for _ in 1...120 {
                _ = try await post("/register", "userID=12", try await newToken(ports.users), ports.users)
            }
            let listed = try await lines(["list", "--json"] + server)
            #expect(listed.count == 120)
            #expect(Set(listed).count == 120)
            #expect(try await lines(["end", "--unused-for", "0s"] + server) == ["Ended 120 sessions."])
        }
    }

    @Test func `a server that cannot be asked for its sessions is an error`() async throws {
        try await withMemory { ports, server in
            func error(_ arguments: [String]) async throws -> String {
                let result = try await workplace.run(["session"] + arguments)
                #expect(result.status == 1)
                #expect(result.output == [])
                return result.errors.joined(separator: "\n")
            }
            let address = "127.0.0.1 port \(ports.operators)"
            let wrong = try workplace.file("wrong", "another token of that length\n")
            #expect(
                try await error(["list"] + server.dropLast() + [wrong])
                    == "error: \(address): it does not accept the token in the file of 'admin-token-file'."
            )
            let users = ["list", "--admin-port", "\(ports.users)"] + server.suffix(2)
            #expect(
                try await error(users)
                    == "error: 127.0.0.1 port \(ports.users): it is not the port for operators of Understudy."
            )
            #expect(
                try await error(["list", "--admin-port", "1"] + server.suffix(2))
                    == "error: 127.0.0.1 port 1: Connection refused: is the server running?"
            )
            #expect(try await error(["list", "--account", "lisa"] + server) == "error: There is no account 'lisa'.")
            for id in ["00000000", "x", "ÄÄÄÄÄÄÄÄ"] {
                let unknown = "error: \(address): it has no session '\(id)', perhaps another server has it."
                #expect(try await error(["show", id] + server) == unknown)
                #expect(try await error(["end", id] + server) == unknown)
            }
        }
    }

    @Test func `the database is not used for the sessions of a server, nor ignored silently`() async throws {
        try await withMemory { ports, server in
            _ = try await newToken(ports.users)
            for option in ["--data", "--database"] {
                let result = try await workplace.run(["session", "end", "--older-than", "0s", option, "x"] + server)
                #expect(result.status == 64)
                #expect(result.errors.count == 1)
            }
            #expect(try await lines(["list"] + server).count == 2)
        }
    }

    @Test func `without the token, a command that finds no sessions says where they can be`() async throws {
        try await workplace.add()
        let note =
            "note: There are no sessions in the database. Those in the memory of a server need 'admin-token-file'."
        for arguments in [["list"], ["end", "--account", "bruce@example.com"]] {
            let result = try await workplace.run(["session"] + arguments)
            #expect(result.status == 0)
            #expect(result.errors == [note])
        }
        #expect(try await lines(["list", "--sessions", "database"]).count == 1)
        #expect(
            try await workplace.run("session", "show", "00000000").errors == [
                "error: There is no session '00000000' in the database. Those in the memory of a server need 'admin-token-file'."
            ]
        )
    }

    @Test(
        arguments: [
            (["end"], 64), (["end", "00000000", "--older-than", "1h"], 64), (["list", "--address", "x"], 64),
            (["end", "--account", ""], 64), (["list", "--account", ""], 64), (["list", "--account", "lisa"], 1),
            (["show", "zzz"], 1),
        ] as [([String], Int32)]
    )
    func `a selection that is missing, ambiguous or unknown is an error`(arguments: [String], status: Int32)
        async throws
    {
        try await workplace.add()
        let result = try await workplace.run(["session"] + arguments)
        #expect(result.status == status)
        #expect(result.errors.count == 1)
    }

    @Test func `the token goes to no process of another user on this machine`() async throws {
        try await withMemory { ports, _ async throws in
            var client = HTTPClient(
                target: .port(host: "127.0.0.1", ports.operators),
                isEncrypted: false,
                timeout: .seconds(20)
            )
            client.trustedUsers = [geteuid()]
            let status = try client.send("GET", "/livez").status
            #expect(status == 200)
            client.trustedUsers = [geteuid() + 1]
            let failure = #expect(throws: HTTPClient.Failure.self) { try client.send("GET", "/livez") }
            #expect(
                failure?.reason == "a process of the user with the ID \(geteuid()) listens there, and gets no token"
            )
        }
    }

    @Test func `only processes that listen on the port count`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:2382 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12345 1 0 100 0 0 10 0
               1: 0100007F:2382 0100007F:C000 01 00000000:00000000 00:00000000 00000000  1001        0 12346 1 0 20 4 30 10 -1
               2: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1002        0 12347 1 0 100 0 0 10 0
               3: 00000000000000000000000001000000:2382 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12348 1
            damaged
            """
        #expect(HTTPClient.listeners(on: 9090, in: table) == [1000, 0])
    }

    @Test func `a process that has stopped listening, so that its user is not known, gets no token`() {
        #expect(HTTPClient.fault(of: [], trusted: [0]) != nil)
        #expect(HTTPClient.fault(of: [0, 1000], trusted: [0]) != nil)
        #expect(HTTPClient.fault(of: [0, 0], trusted: [0]) == nil)
    }
}
