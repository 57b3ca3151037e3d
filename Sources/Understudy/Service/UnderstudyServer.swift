public import Logging
public import MicroHTTP
public import ServiceLifecycle

/// Puts an ``UnderstudyService`` behind a port, for as long as a `ServiceGroup` runs it.
public struct UnderstudyServer: Service {
    private let service: UnderstudyService
    private let configuration: ServerConfiguration
    private let logger: Logger
    private let hasStarted: (@Sendable (ServerAddress) -> Void)?
    /// How long an event loop may be held up before the process is not alive.
    var stallLimit: Duration = .seconds(5)

    /// A server.
    ///
    /// - Parameters:
    ///   - service: answers the requests.
    ///   - configuration: where to listen, and what to put up with.
    ///   - logger: is told of starts and stops.
    ///   - hasStarted: is called when the server listens, with its address. Unless given, the logger is told at `info`:
    ///     the URL, or the path of a Unix domain socket.
    public init(
        service: UnderstudyService,
        configuration: ServerConfiguration = ServerConfiguration(),
        logger: Logger = Logger(label: "understudy"),
        hasStarted: (@Sendable (ServerAddress) -> Void)? = nil
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
        let responder: any Responder = configuration.credentials == nil ? service : StrictTransport(service)
        let server = try Server(configuration: configuration, responder: responder)
        service.metrics.measure { server.statistics }
        service.watch { [weak server, stallLimit] in server?.isResponsive(within: stallLimit) ?? true }
        announce(server.address, configuration)
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

    private func announce(_ address: ServerAddress, _ configuration: ServerConfiguration) {
        var metadata: Logger.Metadata
        if let path = address.path {
            metadata = ["path": "\(path)"]
        } else {
            let scheme = configuration.credentials == nil ? "http" : "https"
            metadata = ["url": "\(scheme)://\(address)\(service.configuration.pathPrefix)"]
        }
        guard let hasStarted else {
            logger.info("Listening", metadata: metadata)
            return
        }
        metadata["loops"] = "\(configuration.loops)"
        logger.debug("Listening", metadata: metadata)
        hasStarted(address)
    }
}
