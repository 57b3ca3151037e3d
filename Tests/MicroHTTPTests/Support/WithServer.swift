import HTTPTestClient
import HTTPMessages
import MicroHTTP

/// Runs a test against a server on a free port of 127.0.0.1 with one event loop, and stops the server.
///
/// - Parameter configure: changes the configuration.
func withServer(
    _ responder: any Responder = StubResponder(),
    configure: (inout ServerConfiguration) -> Void = { _ in },
    test: (Server) async throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.loops = 1
    // Most tests use the shortest possible host.
    configuration.hostPolicy = .never
    // While the whole suite runs on a busy machine, a client or a stream can wait for a minute and more. Tests of a duration set it in
    // `configure`.
    configuration.idleTimeout = .seconds(600)
    configuration.headTimeout = .seconds(600)
    configuration.bodyTimeout = .seconds(600)
    configuration.keepAliveInterval = .seconds(600)
    configuration.responseTimeout = .seconds(600)
    configure(&configuration)
    let server = try Server(configuration: configuration, responder: responder)
    do {
        try await test(server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

/// The same with a client.
func withClient(
    _ responder: any Responder = StubResponder(),
    configure: (inout ServerConfiguration) -> Void = { _ in },
    test: (Server, HTTPTestClient) async throws -> Void
) async throws {
    try await withServer(responder, configure: configure) { server in
        try await test(server, HTTPTestClient(port: server.port))
    }
}

extension Server {
    var port: UInt16 { address.port }
}
