import Foundation
import HTTPTestClient
import Testing

/// A folder for a Unix domain socket. Deinitialising it removes the folder.
final class SocketFolder: Sendable {
    private let folder = "/tmp/\(UUID().uuidString.prefix(8))"
    /// The path of a file that does not exist yet.
    var path: String { folder + "/s" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Creates a socket at the path on which no process listens.
    func leaveSocketBehind() throws {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        let address = try #require(UnixSocketAddress(path))
        try #require(address.bind(socket))
    }
}
