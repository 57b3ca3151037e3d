public import Logging
package import HTTPMessages
public import MicroHTTP
public import ServiceLifecycle
import UnderstudyPages

/// Serves operators on a separate port: `/metrics`, `/livez` and `/readyz`. It responds even if the service has its maximum
/// number of connections. If it has 64 connections itself, the next one replaces the one that has waited longest for its client.
///
/// It serves from its creation until ``run()`` returns.
public struct AdminServer: Service {
    private let responder: AdminResponder
    private let server: Server

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - service: the service to report on.
    ///   - exposition: returns all metrics in Prometheus's text format.
    ///   - configuration: where to listen. Unless its `hostPolicy` is `never`, the server checks the host of every request. The
    ///     server ignores `loops`, `maximumConnections` and `drainTimeout`: it uses one event loop, at most 64 connections and
    ///     one second.
    ///   - logger: logs the address.
    /// - Throws: ``/MicroHTTP/ServerError`` if it cannot listen.
    public init(
        service: UnderstudyService,
        exposition: @escaping @Sendable () -> String,
        configuration: ServerConfiguration,
        logger: Logger = Logger(label: "understudy")
    ) throws(ServerError) {
        try self.init(AdminResponder(service: service, exposition: exposition), configuration, logger)
    }

    package init(
        _ responder: AdminResponder,
        _ configuration: ServerConfiguration,
        _ logger: Logger
    ) throws(ServerError) {
        self.responder = responder
        var configuration = configuration.checkingHosts
        configuration.loops = 1
        configuration.maximumConnections = 64
        configuration.replacesIdleConnections = true
        configuration.drainTimeout = .seconds(1)
        server = try Server(configuration: configuration, responder: responder)
        logger.info("Listening for operators", metadata: ["address": "\(server.address)"])
    }

    /// Applies other settings, as ``UnderstudyServer/reload(_:_:)`` does.
    public func reload(_ service: UnderstudyService, _ configuration: ServerConfiguration) async {
        var responder = responder
        responder.service = service
        await server.reload(configuration.checkingHosts, responder)
    }

    /// Serves until a graceful shutdown or a cancellation.
    public func run() async {
        try? await removeExpiredSessionsUntilShutdown()
        responder.pages?.startDraining()
        await server.stop()
    }

    private func removeExpiredSessionsUntilShutdown() async throws {
        guard let pages = responder.pages else { return try await gracefulShutdown() }
        try await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(1))
                pages.removeExpiredSessions()
            }
        }
    }
}

extension ServerConfiguration {
    /// Checks hosts on public addresses as well: a page of another site must not read metrics through DNS.
    fileprivate var checkingHosts: ServerConfiguration {
        guard case .loopbackOnly(let hosts) = hostPolicy else { return self }
        var configuration = self
        configuration.hostPolicy = .always(hosts)
        return configuration
    }
}

package struct AdminResponder: Responder {
    var service: UnderstudyService
    let exposition: @Sendable () -> String
    /// The endpoints below `/test`; `nil`, the default, for none. Only for a server that no other machine can reach.
    package var testControl: TestControl?
    /// Return lines for a person about how the server is, such as `/status`, by their paths; none by default.
    package var reports: [Substring: @Sendable () async throws -> [String]] = [:]
    /// The pages for operators; `nil`, the default, for none. They are served at `/`, next to the server's own paths.
    package var pages: UnderstudyService?
    /// Called with the ``pages`` before each of their requests; `nil`, the default, for nothing.
    package var beforePages: (@Sendable (UnderstudyService) -> Void)?

    package init(
        service: UnderstudyService,
        exposition: @escaping @Sendable () -> String,
        testControl: TestControl? = nil
    ) {
        (self.service, self.exposition, self.testControl) = (service, exposition, testControl)
    }

    private var paths: [Substring] { ["/metrics"] + reports.keys.sorted() + ["/livez", "/readyz"] }

    package func respond(to request: Request) async -> Response {
        if let pages, !paths.contains(request.path), testControl == nil || !request.path.hasPrefix("/test") {
            beforePages?(pages)
            return await pages.respond(to: request)
        }
        var response = await answer(request)
        response.addCommonHeaders(requestID: request.id)
        return response
    }

    private func answer(_ request: Request) async -> Response {
        do {
            switch request.path {
            case "/livez", "/readyz":
                return await service.respond(to: request)
            case let path where paths.contains(path):
                guard request.method == .get || request.method == .head else {
                    throw Problem(methodNotAllowed: request.method, allowed: [.get, .head])
                }
                if let report = reports[path] { return .text(try await report().map { $0 + "\n" }.joined()) }
                _ = service.sampleHealth()
                return Response(status: 200, contentType: .prometheus, body: Array(exposition().utf8))
            default:
                if let response = try await testControl?.respond(to: request, for: service) { return response }
            }
            let others = testControl == nil ? [] : TestControl.paths.map { $0[...] }
            throw Problem(
                .unknownPage,
                "There are \((paths.dropLast() + others).joined(separator: ", ")) and /readyz here."
            )
        } catch {
            let problem = Problem(error)
            if problem == nil {
                service.logger.error("A request of an operator failed", metadata: ["error": "\(error)"])
            }
            return (problem ?? Problem(.internal)).response(id: request.id, below: service.configuration.pathPrefix)
        }
    }

    package func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        service.reject(rejection, of: request)
    }
}

extension ContentType {
    static let prometheus: ContentType = "text/plain; version=0.0.4; charset=utf-8"
}
