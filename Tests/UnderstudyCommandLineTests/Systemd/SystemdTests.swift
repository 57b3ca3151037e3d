@testable import UnderstudyCommandLine

struct SystemdTests {
    @Test func `without its variables, systemd passes nothing`() throws {
        let systemd = try Systemd(environment: [:], process: 7)
        #expect(systemd.notifier == nil)
        #expect(systemd.watchdog == nil)
        #expect(systemd.socket == nil)
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "3000000"], .seconds(3)),
            (["WATCHDOG_USEC": "1", "WATCHDOG_PID": "7"], .microseconds(1)),
            (["WATCHDOG_USEC": "1", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-1"], nil), (["WATCHDOG_USEC": "soon"], nil), (["WATCHDOG_PID": "7"], nil),
        ] as [([String: String], Duration?)]
    )
    func `a watchdog applies only to its own process`(environment: [String: String], limit: Duration?) throws {
        #expect(try Systemd(environment: environment, process: 7).watchdog == limit)
    }

    @Test(
        arguments: [
            (["LISTEN_FDS": "1", "LISTEN_PID": "7"], 3, nil), (["LISTEN_FDS": "1", "LISTEN_PID": "8"], nil, nil),
            (["LISTEN_FDS": "1"], nil, nil), (["LISTEN_FDS": "0", "LISTEN_PID": "7"], nil, nil),
            (["LISTEN_FDS": "x", "LISTEN_PID": "7"], nil, nil), (["LISTEN_PID": "7"], nil, nil),
            (listening("understudy.socket:operators"), 3, 4), (listening("operators:understudy.socket"), 4, 3),
            (listening("operators"), nil, 3), (listening("understudy.socket"), 3, nil),
        ] as [([String: String], Int32?, Int32?)]
    )
    func `a socket is used only by the process that it names, and for operators if its name says so`(
        environment: [String: String],
        socket: Int32?,
        operators: Int32?
    ) throws {
        let systemd = try Systemd(environment: environment, process: 7)
        #expect(systemd.socket == socket)
        #expect(systemd.operatorsSocket == operators)
    }

    /// The variables for sockets with those names.
    static func listening(_ names: String, count: Int? = nil) -> [String: String] {
        let count = count ?? names.split(separator: ":").count
        return ["LISTEN_FDS": "\(count)", "LISTEN_PID": "7", "LISTEN_FDNAMES": names]
    }

    @Test(arguments: [(2, "a:b"), (2, ""), (2, "operators:operators"), (3, "a:operators:b"), (.max, "")])
    func `more sockets than one for clients and one for operators are an error`(count: Int, names: String) {
        let refusal = CommandError(
            """
            systemd passes \(count) sockets, but only one can be served for clients, and one for operators: give each socket \
            unit one ListenStream=, and that for operators FileDescriptorName=operators.
            """
        )
        #expect(throws: refusal) { try Systemd(environment: Self.listening(names, count: count), process: 7) }
    }

    @Test(arguments: [
        ("/run/systemd/notify", true), ("@name", true), ("", false), ("@", false), ("/", false), ("name", false),
        ("vsock:2:1", false), ("/" + "a".repeated(107), false),
    ])
    func `the notification socket has a path or an abstract name`(path: String, isValid: Bool) throws {
        #expect((try Systemd(environment: ["NOTIFY_SOCKET": path], process: 7).notifier != nil) == isValid)
    }
}
