import Glibc
import MicroHTTP

/// Tells systemd how the process is, as sd_notify(3) does.
struct SystemdNotifier: Sendable {
    private let address: SocketAddress

    /// - Parameter path: a path, or the name of an abstract socket behind an `@`; anything else is no notifier.
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

    func isReady(_ status: String) {
        send("READY=1\nSTATUS=\(status)")
    }

    func isReloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }

    func hasReloaded() {
        send("READY=1")
    }

    func isStopping() {
        send("STOPPING=1\nSTATUS=Stopping")
    }

    func isWell() {
        send("WATCHDOG=1")
    }

    private func send(_ message: String) {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        address.send(Array(message.utf8), by: socket)
    }
}
