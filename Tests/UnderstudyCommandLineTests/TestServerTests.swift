import FoundationNetworking
import Testing

// The samples of docs/integration-tests.md.

/// A server that runs as long as this object exists.
final class TestServer {
    let url: URL
    private let process = Process()

    init(_ understudy: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: understudy)
        process.arguments = ["serve", "--demo", "--port", "0", "--admin-port", "off", "--log-level", "error"]
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let address = try #require(line.firstMatch(of: /Listening on (\S+)/)?.1)
        url = try #require(URL(string: String(address)))
    }

    deinit {
        process.terminate()
    }
}

struct TestServerTests {
    private let understudy = Program.executable.path

    @Test func `the correct password leads home`() async throws {
        let server = try TestServer(understudy)
        var request = URLRequest(url: server.url.appending(path: "login"))
        request.httpMethod = "POST"
        request.httpBody = Data("username=batman&password=bruce".utf8)
        let (body, _) = try await URLSession.shared.data(for: request)
        #expect(String(decoding: body, as: UTF8.self).contains(#""href":"/home""#))
    }
}
