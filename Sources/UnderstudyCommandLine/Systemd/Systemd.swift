import Glibc

/// What systemd passes to a process in its environment: where to send notifications, and a listening socket.
struct Systemd {
    /// Sends notifications; `nil` if systemd expects none.
    let notifier: SystemdNotifier?
    /// The longest time between two notifications of the watchdog; `nil` without a watchdog.
    let watchdog: Duration?
    /// The descriptor of the listening socket; `nil` if systemd passes none.
    let socket: Int32?

    private static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ]

    /// Reads the variables of systemd, and removes them so that no child process uses them.
    ///
    /// - Throws: ``CommandError`` if systemd passes more than one socket.
    static func take() throws -> Systemd {
        var environment: [String: String] = [:]
        for name in variables {
            environment[name] = getenv(name).map { String(cString: $0) }
            unsetenv(name)
        }
        let systemd = try Systemd(environment: environment, process: getpid())
        if let socket = systemd.socket { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return systemd
    }

    /// - Parameter process: the id of this process; variables for another one are ignored.
    /// - Throws: ``CommandError`` if systemd passes more than one socket.
    init(environment: [String: String], process: Int32) throws {
        notifier = environment["NOTIFY_SOCKET"].flatMap(SystemdNotifier.init(path:))
        let isWatched = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        watchdog = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
            .flatMap { isWatched && $0 > 0 ? .microseconds($0) : nil }
        guard environment["LISTEN_PID"] == "\(process)", let count = environment["LISTEN_FDS"].flatMap({ Int($0) }),
            count > 0
        else {
            socket = nil
            return
        }
        guard count == 1 else {
            throw CommandError(
                "systemd passes \(count) sockets, but only one can be served: give the socket unit one ListenStream=."
            )
        }
        // SD_LISTEN_FDS_START
        socket = 3
    }
}
