import Glibc

/// Tells systemd how the process is, as sd_notify(3) does.
struct SystemdNotifier: Sendable {
    private let path: String

    /// - Parameter path: a path, or the name of an abstract socket behind an `@`; anything else is no notifier.
    init?(path: String) {
        let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        guard path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count > 1, path.utf8.count < room else {
            return nil
        }
        self.path = path
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

    /// Sends a message. Where nobody takes it there is nothing to be done about it.
    private func send(_ message: String) {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path.utf8)
            if path.hasPrefix("@") { room[0] = 0 }
        }
        // The length is part of an abstract name.
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
        let bytes = Array(message.utf8)
        withUnsafeBytes(of: address) {
            let address = $0.assumingMemoryBound(to: sockaddr.self).baseAddress
            _ = sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size)
        }
    }
}
