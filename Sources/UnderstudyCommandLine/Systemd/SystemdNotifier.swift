import Glibc
import MicroHTTP

/// Notifies systemd of the state of the process, like sd_notify(3).
struct SystemdNotifier: Sendable {
    private let address: SocketAddress

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

    func notifyReady(status: String) {
        send("READY=1\nSTATUS=\(status)")
    }

    /// - Parameter status: a description for people, on one line.
    func notify(status: String) {
        send("STATUS=\(status.replacing("\n", with: " "))")
    }

    func notifyReloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }

    func notifyReloaded() {
        send("READY=1")
    }

    func notifyStopping() {
        send("STOPPING=1\nSTATUS=Stopping")
    }

    func notifyAlive() {
        send("WATCHDOG=1")
    }

    private func send(_ message: String) {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        address.send(Array(message.utf8), by: socket)
    }
}
