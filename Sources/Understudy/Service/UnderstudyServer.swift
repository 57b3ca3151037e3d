public import Logging
public import MicroHTTP
public import ServiceLifecycle

/// Puts an ``UnderstudyService`` behind a port, for as long as a `ServiceGroup` runs it.
public struct UnderstudyServer: Service {
    private let service: UnderstudyService
    private let configuration: ServerConfiguration
    private let logger: Logger
    private let hasStarted: @Sendable (ServerAddress) -> Void
    /// How long an event loop may be held up before the process is not alive.
    var stallLimit: Duration = .seconds(5)

    /// A server.
    ///
    /// - Parameters:
    ///   - service: answers the requests.
    ///   - configuration: where to listen, and what to put up with.
    ///   - logger: is told of starts and stops.
    ///   - hasStarted: is called when the server listens, with its address.
    public init(
        service: UnderstudyService,
        configuration: ServerConfiguration = ServerConfiguration(),
        logger: Logger = Logger(label: "understudy"),
        hasStarted: @escaping @Sendable (ServerAddress) -> Void = { _ in }
    ) {
        self.service = service
        self.configuration = configuration
        self.logger = logger
        self.hasStarted = hasStarted
    }

    /// Serves until a graceful shutdown or a cancellation, then answers what was accepted, and returns.
    ///
    /// - Throws: ``/MicroHTTP/ServerError`` where it cannot listen.
    public func run() async throws {
        var configuration = configuration
        configuration.commonHeaders += UnderstudyService.commonHeaders
        if configuration.credentials != nil { configuration.commonHeaders.append(UnderstudyService.strictTransport) }
        let server = try Server(configuration: configuration, responder: service)
        logger.debug("Listening", metadata: ["address": "\(server.address)", "loops": "\(configuration.loops)"])
        service.metrics.measure { server.statistics }
        service.watch { [weak server, stallLimit] in server?.isTurning(within: stallLimit) ?? true }
        hasStarted(server.address)
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(1))
                service.removeExpiredSessions()
            }
        }
        logger.info("Stopping")
        service.startDraining()
        await server.stop()
        logger.debug("Stopped")
    }
}
