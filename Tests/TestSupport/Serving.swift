package import Understudy

extension UnderstudyService {
    /// A service whose configuration a test changes, of the demonstration unless pages are given.
    package convenience init(
        pages: [Page] = Page.demo(),
        logger: Logger = Logger(label: "understudy"),
        configure: (inout ServiceConfiguration) throws -> Void
    ) rethrows {
        var configuration = ServiceConfiguration()
        try configure(&configuration)
        self.init(pages: pages, configuration: configuration, logger: logger)
    }
}

/// Serves on a free port of this machine, with one event loop, while `body` runs.
package func withRunningServer<Result>(
    _ responder: any Responder,
    configure: (inout ServerConfiguration) throws -> Void = { _ in },
    _ body: (Server) async throws -> Result
) async throws -> Result {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.loops = 1
    // On a loaded machine, a test can be suspended for longer than the default timeouts. Tests of a timeout set it in `configure`.
    configuration.idleTimeout = .seconds(600)
    configuration.headTimeout = .seconds(600)
    configuration.bodyTimeout = .seconds(600)
    configuration.responseTimeout = .seconds(600)
    configuration.receiveTimeout = .seconds(600)
    // A stream whose handler is suspended for longer would begin without a command.
    configuration.keepAliveInterval = .seconds(600)
    try configure(&configuration)
    let server = try Server(configuration: configuration, responder: responder)
    do {
        let result = try await body(server)
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}
