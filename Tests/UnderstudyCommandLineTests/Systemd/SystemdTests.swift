import Testing

@testable import UnderstudyCommandLine

@Suite struct SystemdTests {
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
    func `a watchdog applies only to the process that it names`(environment: [String: String], limit: Duration?) throws
    {
        #expect(try Systemd(environment: environment, process: 7).watchdog == limit)
    }

    @Test(
        arguments: [
            (["LISTEN_FDS": "1", "LISTEN_PID": "7"], 3), (["LISTEN_FDS": "1", "LISTEN_PID": "8"], nil),
            (["LISTEN_FDS": "1"], nil), (["LISTEN_FDS": "0", "LISTEN_PID": "7"], nil),
            (["LISTEN_FDS": "x", "LISTEN_PID": "7"], nil), (["LISTEN_PID": "7"], nil),
        ] as [([String: String], Int32?)]
    )
    func `a socket is used only by the process that it names`(environment: [String: String], socket: Int32?) throws {
        #expect(try Systemd(environment: environment, process: 7).socket == socket)
    }

    @Test func `more than one socket is an error`() {
        let refusal = CommandError(
            "systemd passes 2 sockets, but only one can be served: give the socket unit one ListenStream=."
        )
        #expect(throws: refusal) {
            try Systemd(environment: ["LISTEN_FDS": "2", "LISTEN_PID": "7"], process: 7)
        }
    }

    @Test(arguments: [
        ("/run/systemd/notify", true), ("@name", true), ("", false), ("@", false), ("/", false), ("name", false),
        ("vsock:2:1", false), ("/" + String(repeating: "a", count: 107), false),
    ])
    func `the notification socket has a path or an abstract name`(path: String, isValid: Bool) throws {
        #expect((try Systemd(environment: ["NOTIFY_SOCKET": path], process: 7).notifier != nil) == isValid)
    }
}
