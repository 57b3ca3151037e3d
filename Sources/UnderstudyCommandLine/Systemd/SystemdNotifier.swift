import Dispatch
import Glibc
import MicroHTTP
import ServiceLifecycle
import Synchronization

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

/// Notifies the watchdog of systemd while the process is responsive.
struct SystemdWatchdog: Service {
    let notifier: SystemdNotifier
    /// The time without a notification after which systemd ends the process.
    let limit: Duration
    let isAlive: @Sendable () -> Bool

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                let isAlive = isAlive()
                if isAlive { notifier.notify(.alive) }
                // Checks more often while the process is not responsive, so that systemd is notified before the limit.
                try await Task.sleep(for: limit / (isAlive ? 2 : 20))
            }
        }
    }
}
