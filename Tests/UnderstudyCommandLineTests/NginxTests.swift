import Foundation
import Glibc
import HTTPTestClient
import PostgreSQLTestSupport
import Testing

/// The configuration in Examples/nginx, with nginx.
@Suite(.enabled(if: Nginx.isInstalled), .timeLimit(.minutes(5))) struct NginxTests {
    @Test func `nginx admits logged-in users only, and passes their names to the application`() async throws {
        try await withServer("--demo", "--trusted-proxies", Nginx.address) { _, port in
            let nginx = try await Nginx(understudy: port)
            defer { nginx.stop() }
            let client = try await HTTPTestClient(port: nginx.port)
            let path = "/private/page"
            #expect(try await client.request("GET", path, headers: ["Host": "a"]).status == 401)

            let body = Array("username=batman&password=bruce".utf8)
            let login = try await client.request(
                "POST",
                "/login",
                headers: ["Host": "a", "Content-Type": "application/x-www-form-urlencoded"],
                body: body
            )
            #expect(login.status == 200)
            let cookie = try #require(login.header("Set-Cookie")?.split(separator: ";").first.map { String($0) })

            let inside = try await client.request("GET", path, headers: ["Host": "a", "Cookie": cookie])
            #expect(inside.status == 200)
            #expect(inside.text == "Hello, batman!\n")
            // A client cannot name its user itself.
            let forged = ["Host": "a", "Remote-User": "batman"] as KeyValuePairs
            #expect(try await client.request("GET", path, headers: forged).status == 401)

            let end = try await client.request("DELETE", "/session", headers: ["Host": "a", "Cookie": cookie])
            #expect(end.status == 204)
            #expect(try await client.request("GET", path, headers: ["Host": "a", "Cookie": cookie]).status == 401)
        }
    }

    @Test func `a client behind nginx cannot use up the limit of another address with X-Forwarded-For`()
        async throws
    {
        try await withServer("--demo", "--trusted-proxies", Nginx.address, "--requests", "3/1h") { _, port in
            let nginx = try await Nginx(understudy: port)
            defer { nginx.stop() }
            let client = try await HTTPTestClient(port: nginx.port)
            let forged: KeyValuePairs = ["Host": "a", "X-Forwarded-For": "203.0.113.7"]
            // The requests count for 127.0.0.1, the client's address at nginx, and not for 203.0.113.7.
            for _ in 0..<3 { #expect(try await client.request("GET", "/private/", headers: forged).status == 401) }
            #expect(
                try await HTTPTestClient.request("GET", "/login", headers: ["Host": "a"], port: nginx.port).status
                    == 429
            )
            let other = try await HTTPTestClient.request(
                "GET",
                "/login",
                headers: ["X-Forwarded-For": "203.0.113.7"],
                port: port
            )
            #expect(other.status == 200)
        }
    }
}

/// An nginx process with the example's configuration, on free ports.
private final class Nginx {
    var port: UInt16 { ports[0].number }
    private let ports: [ReservedPort]
    private let process: Int32
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID().uuidString)")

    /// The address from which nginx connects to Understudy.
    static let address = "127.0.0.9"
    private static let executable = "/usr/sbin/nginx"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: executable) }

    init(understudy: UInt16) async throws {
        ports = try [ReservedPort(), ReservedPort()]
        let text = try Checkout.text("Examples/nginx/nginx.conf")
            .replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(understudy)")
            .replacingOccurrences(of: "127.0.0.1:8000", with: "127.0.0.1:\(ports[0].number)")
            .replacingOccurrences(of: "127.0.0.1:8001", with: "127.0.0.1:\(ports[1].number)")
            // The proxy's address differs from the clients' address, as on a network.
            .replacingOccurrences(of: "daemon off;", with: "daemon on;")
            .replacingOccurrences(of: "http {", with: "http {\nproxy_bind \(Self.address);")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = folder.appendingPathComponent("nginx.conf")
        try text.write(to: configuration, atomically: true, encoding: .utf8)
        // The first process of a daemon ends when the daemon listens.
        let start = try ChildProcess(Self.executable, ["-p", folder.path, "-c", configuration.path])
        try #require(await start.end() == .exit(0))
        let number = try String(contentsOf: folder.appendingPathComponent("nginx.pid"), encoding: .utf8)
        process = try #require(Int32(number.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    func stop() {
        kill(process, SIGTERM)
        try? FileManager.default.removeItem(at: folder)
    }
}
