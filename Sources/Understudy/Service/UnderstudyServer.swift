public import Logging
import HTTPMessages
public import MicroHTTP
public import ServiceLifecycle

/// Serves an ``UnderstudyService`` on a port, as a service of a `ServiceGroup`.
public struct UnderstudyServer: Service {
    private let service: UnderstudyService
    private let configuration: ServerConfiguration
    private let logger: Logger
    private let hasStarted: (@Sendable (ServerAddress) -> Void)?
    private let reloads = ServerReloads()
    /// Called when a graceful shutdown has begun. Until it returns, the server serves as before, but `/readyz` returns 503 and each response
    /// closes its connection, so that load balancers leave. `nil`, the default, to drain at once.
    public var drainDelay: (@Sendable () async -> Void)?
    /// How long an event loop may be blocked before `/livez` reports the process as not alive.
    var stallLimit: Duration = .seconds(5)

    /// Creates a server. Until it listens, `/readyz` of the service returns 503, for instance on the port of an ``AdminServer``.
    ///
    /// - Parameters:
    ///   - service: handles the requests.
    ///   - configuration: where to listen, and the limits.
    ///   - logger: logs when the server starts and stops.
    ///   - hasStarted: called with the address when the server listens. By default, the logger logs the URL or the path of the
    ///     Unix domain socket at `info`.
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
        service.readiness.change(from: .ready, to: .starting)
    }

    /// Serves until a graceful shutdown or a cancellation, then finishes the accepted requests and returns.
    ///
    /// Restores the sessions of the ``ServiceConfiguration/sessionStore`` before, and saves them afterwards, even if it cannot listen.
    /// If they cannot be restored, it serves without them. They stay in the store until the next start. If the store is not available at
    /// the end, it tries again for the rest of the `drainTimeout`.
    ///
    /// - Throws: ``/MicroHTTP/ServerError`` if it cannot listen; the error of the store if the sessions cannot be saved.
    public func run() async throws {
        do { try await service.restoreSessions() } catch { log("The sessions cannot be restored", error) }
        let end: Result<ContinuousClock.Instant, any Error>
        do { end = .success(try await serve()) } catch { end = .failure(error) }
        let deadline = (try? end.get()) ?? .now
        // In a task of its own, because this one may be cancelled, and a cancelled task cannot write to a database.
        let saving = await Task { try await service.saveSessions(until: deadline) }.result
        if case .failure(let error) = saving { log("The sessions cannot be saved", error) }
        _ = try end.get()
        try saving.get()
        logger.debug("Stopped")
    }

    /// Applies other settings, now or as soon as the server listens, and returns when they apply. Connections stay open. Do not call it while
    /// another call runs.
    ///
    /// - Parameters:
    ///   - service: handles the requests from now on: what ``UnderstudyService/reloaded(with:)`` has returned, or the same service.
    ///   - configuration: what ``/MicroHTTP/Server/reload(_:)`` lists. The server ignores everything else.
    public func reload(_ service: UnderstudyService, _ configuration: ServerConfiguration) async {
        await reloads.reload(responder(service), configuration)
    }

    private func log(_ message: Logger.Message, _ error: any Error) {
        logger.error(message, metadata: ["error": "\(error)"])
    }

    /// Returns the end of the drain: the server has stopped at this time at the latest.
    private func serve() async throws -> ContinuousClock.Instant {
        let server = try Server(configuration: configuration, responder: responder(service))
        await reloads.use(server)
        service.metrics.measure { server.statistics }
        service.liveness.watch { [weak server, stallLimit] in server?.isResponsive(within: stallLimit) ?? true }
        service.readiness.change(from: .starting, to: .ready)
        announce(server.address, configuration)
        await serveUntilDrain(server)
        service.startDraining()
        let deadline = ContinuousClock.now + configuration.drainTimeout
        await server.stop()
        return deadline
    }

    private func serveUntilDrain(_ server: Server) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await every(.milliseconds(500)) { _ in await service.refreshWatchedSessions() } }
            group.addTask { await every(.seconds(1), removeExpiredSessions(second:)) }
            // In a task of its own, because a hook may take long.
            if service.sessionEnds != nil {
                group.addTask {
                    await every(.seconds(1)) { _ in await service.betweenResets { await service.runSessionEndHooks() } }
                }
            }
            try? await gracefulShutdown()
            let drainDelay = Task.isCancelled ? nil : drainDelay
            if drainDelay != nil {
                service.readiness.change(from: .ready, to: .leaving)
                await server.closeConnectionsAfterResponses()
            }
            logger.info("Stopping")
            await drainDelay?()
            group.cancelAll()
        }
    }

    private func responder(_ service: UnderstudyService) -> any Responder {
        let isSecure = configuration.credentials != nil || service.configuration.isPublicAddressSecure
        return isSecure || service.resetGate != nil ? ServedService(service, isSecure: isSecure) : service
    }

    private func removeExpiredSessions(second: Int) async {
        await service.betweenResets {
            service.removeExpiredSessions()
            if second % 10 == 0 { await service.removeExpiredSharedSessions() }
        }
    }

    /// The number of the call is from 1. Runs until this task is cancelled.
    private func every(_ pause: Duration, _ body: (Int) async -> Void) async {
        var number = 0
        while (try? await Task.sleep(for: pause)) != nil {
            number += 1
            await body(number)
        }
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
