import HTTPTestClient
import MicroHTTP
import TestSupport

/// Runs a test against a server, and stops the server.
func withServer(
    _ responder: any Responder = StubResponder(),
    configure: (inout ServerConfiguration) throws -> Void = { _ in },
    test: (Server) async throws -> Void
) async throws {
    try await withRunningServer(responder) {
        // Most tests use the shortest possible host.
        $0.hostPolicy = .never
        try configure(&$0)
    } _: { server in
        try await test(server)
    }
}

/// The same with a client.
func withClient(
    _ responder: any Responder = StubResponder(),
    configure: (inout ServerConfiguration) throws -> Void = { _ in },
    test: (Server, HTTPTestClient) async throws -> Void
) async throws {
    try await withServer(responder, configure: configure) { server in
        try await test(server, HTTPTestClient(port: server.port))
    }
}

extension Server {
    var port: UInt16 { address.port }
}
