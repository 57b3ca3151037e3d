import Foundation
import Glibc
import HTTPTestClient
import PostgreSQLTestSupport
import Testing

/// An nginx process in front of two servers, with the configuration in Examples/cluster.
final class LoadBalancer {
    private let reserved: ReservedPort
    private let workplace: Workplace
    private let process: Int32

    var port: UInt16 { reserved.number }

    /// - Parameter ports: the ports of the two servers.
    init(_ ports: [UInt16]) async throws {
        reserved = try ReservedPort()
        workplace = Workplace()
        let example = TaskPage.folder.appending(path: "../../Examples/cluster")
        let text = try String(contentsOf: example.appending(path: "nginx.conf"), encoding: .utf8)
            .replacing("127.0.0.1:8081", with: "127.0.0.1:\(ports[0])")
            .replacing("127.0.0.1:8082", with: "127.0.0.1:\(ports[1])")
            .replacing("127.0.0.1:8000", with: "127.0.0.1:\(reserved.number)")
            .replacing("daemon off;", with: "daemon on;")
            // Each restart of a server takes so long at least, until nginx tries it again.
            .replacing("fail_timeout=2s", with: "fail_timeout=1s")
        let configuration = try workplace.file("nginx.conf", text)
        let locations = try String(contentsOf: example.appending(path: "locations.conf"), encoding: .utf8)
        _ = try workplace.file("locations.conf", locations)
        // The first process of a daemon ends when the daemon listens.
        let start = try ChildProcess("/usr/sbin/nginx", ["-p", workplace.folder.path, "-c", configuration])
        try #require(await start.end() == .exit(0))
        process = try #require(Int32(workplace.text("nginx.pid").trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    func stop() {
        kill(process, SIGTERM)
    }
}
