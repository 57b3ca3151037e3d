import Dispatch
import Glibc
import MicroHTTP
import Synchronization

/// What systemd passes to a process in its environment: where to send notifications, and listening sockets.
struct Systemd {
    /// Sends notifications; `nil` if systemd expects none.
    let notifier: SystemdNotifier?
    /// The longest time between two notifications of the watchdog; `nil` without a watchdog.
    let watchdog: Duration?
    /// The descriptor of the listening socket; `nil` if systemd passes none.
    let socket: Int32?
    /// The descriptor of the socket that listens for operators: its unit has `FileDescriptorName=operators`. `nil` if systemd passes none.
    let operatorsSocket: Int32?

    private static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ]

    /// Reads the variables of systemd, and removes them so that no child process uses them.
    static func take() throws -> Systemd {
        var environment: [String: String] = [:]
        for name in variables {
            environment[name] = getenv(name).map { String(cString: $0) }
            unsetenv(name)
        }
        let systemd = try Systemd(environment: environment, process: getpid())
        for case let socket? in [systemd.socket, systemd.operatorsSocket] { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return systemd
    }

    /// - Parameter process: the id of this process; variables for another one are ignored.
    /// - Throws: ``CommandError`` if systemd passes more sockets than one for clients and one for operators.
    init(environment: [String: String], process: Int32) throws {
        notifier = environment["NOTIFY_SOCKET"].flatMap(SystemdNotifier.init(path:))
        let isWatched = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        watchdog = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
            .flatMap { isWatched && $0 > 0 ? .microseconds($0) : nil }
        let isForThisProcess = environment["LISTEN_PID"] == "\(process)"
        let count = isForThisProcess ? environment["LISTEN_FDS"].flatMap { Int($0) } ?? 0 : 0
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        // The first descriptor is SD_LISTEN_FDS_START. Three sockets are too many, and so are more.
        let sockets = (0..<min(max(count, 0), 3)).map { index in
            (descriptor: Int32(3 + index), isForOperators: index < names.count && names[index] == "operators")
        }
        let forClients = sockets.filter { !$0.isForOperators }
        let forOperators = sockets.filter(\.isForOperators)
        guard forClients.count <= 1, forOperators.count <= 1 else {
            throw CommandError(
                """
                systemd passes \(count) sockets, but only one can be served for clients, and one for operators: give each \
                socket unit one ListenStream=, and that for operators FileDescriptorName=operators.
                """
            )
        }
        socket = forClients.first?.descriptor
        operatorsSocket = forOperators.first?.descriptor
    }
}

/// Notifies systemd of the state of the process, like sd_notify(3).
final class SystemdNotifier: Sendable {
    private let address: SocketAddress
    /// Whether systemd knows that the server is ready. Before, a reload must not report that it is.
    private let isReady = Atomic<Bool>(false)

    /// - Parameter path: the path of a socket, or `@` and the name of an abstract one. For any other text, this is `nil`.
    init?(path: String) {
        let address: SocketAddress? =
            switch path.first {
            case "/" where path != "/": SocketAddress(path: path)
            case "@": SocketAddress(abstractName: String(path.dropFirst()))
            default: nil
            }
        guard let address else { return nil }
        self.address = address
    }

    /// What has happened. A status is a description for people.
    enum Event {
        case waiting(status: String), ready(status: String), reloading, reloaded, stopping, alive
    }

    func notify(_ event: Event) {
        if case .ready = event { isReady.store(true, ordering: .releasing) }
        let isReady = isReady.load(ordering: .acquiring)
        switch event {
        case .waiting(let status): send("STATUS=\(status.replacing("\n", with: " "))")
        case .ready(let status): send("READY=1\nSTATUS=\(status)")
        // The clock of Dispatch is CLOCK_MONOTONIC.
        case .reloading where isReady:
            send("RELOADING=1\nMONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1000)")
        case .reloaded where isReady: send("READY=1")
        case .reloading, .reloaded: break
        case .stopping: send("STOPPING=1\nSTATUS=Stopping")
        case .alive: send("WATCHDOG=1")
        }
    }

    private func send(_ message: String) {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        address.send(Array(message.utf8), by: socket)
    }
}
