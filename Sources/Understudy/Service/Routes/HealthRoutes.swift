import BusinessLogic
import MicroHTTP

extension Route {
    /// `GET /livez`: whether the process is alive.
    static let live = Route(
        .get,
        "/livez",
        operation: ServiceOperation(
            "live",
            .service,
            "See whether the process is alive",
            "For the supervisor: where this does not answer 200, the process has to be started again.",
            success: (200, ServiceOperation.answer("It is.", ServiceOperation.text, example: "ok\n")),
            errors: [.malformedRequest, .unavailable],
            isLimited: false
        )
    ) { service, _ in
        if !service.isAlive { throw Problem(.unavailable, "An event loop is blocked.", retryAfter: .seconds(1)) }
        return .text("ok\n")
    }

    /// `GET /readyz`: whether the service accepts requests.
    static let ready = Route(
        .get,
        "/readyz",
        operation: ServiceOperation(
            "ready",
            .service,
            "See whether the service wants requests",
            "For the load balancer: where this does not answer 200, requests should go elsewhere.",
            success: (200, ServiceOperation.answer("It does.", ServiceOperation.text, example: "ok\n")),
            errors: [.malformedRequest, .unavailable],
            isLimited: false
        )
    ) { service, _ in
        if service.isDraining { throw Problem(.unavailable, "The server is stopping.", retryAfter: .seconds(1)) }
        return .text("ok\n")
    }
}
