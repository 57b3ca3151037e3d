import Glibc

/// What systemd tells a process that it has started.
struct Systemd {
    /// Whom to tell how the process is; `nil` where nobody wants to know.
    let notifier: SystemdNotifier?
    /// How often systemd wants to hear that the process is well, at the least; `nil` where it does not.
    let watchdog: Duration?
    /// The listening socket that it hands over.
    let socket: Int32?

    private static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ]

    /// Takes it out of the environment, so that no other program takes it for its own.
    ///
    /// - Throws: ``CommandError`` where it hands over something else than one socket.
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

    /// What the variables tell that process.
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
                "systemd hands over \(count) sockets, and one can be served: give the unit one ListenStream=."
            )
        }
        // SD_LISTEN_FDS_START
        socket = 3
    }
}
