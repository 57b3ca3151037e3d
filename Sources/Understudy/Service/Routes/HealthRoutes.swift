import BusinessLogic
import HTTPMessages
import SessionStorage
import UnderstudyOpenAPI
import UnderstudyPages

extension Route {
    /// `GET /livez`: whether the process is alive.
    static let live = Route(
        .get,
        "/livez",
        operation: ServiceOperation(
            "live",
            .service,
            "Check whether the process is alive",
            "For a supervisor: restart the process if this does not return 200.",
            success: (
                200, ServiceOperation.answer("The process is alive.", ServiceOperation.text, example: "ok\n")
            ),
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
            "Check whether the service accepts requests",
            "For a load balancer: send requests to another server if this does not return 200.",
            success: (
                200, ServiceOperation.answer("The service accepts requests.", ServiceOperation.text, example: "ok\n")
            ),
            errors: [.malformedRequest, .unavailable],
            isLimited: false
        )
    ) { service, _ in
        switch service.readiness.state {
        case .starting: throw Problem(.unavailable, "The server is starting.", retryAfter: .seconds(1))
        case .ready: break
        case .draining: throw Problem(.unavailable, "The server is stopping.", retryAfter: .seconds(1))
        }
        if service.configuration.sessionStore?.isAvailable == false {
            throw Problem(
                .unavailable,
                "The database cannot be reached or written.",
                members: ["part": "database"],
                retryAfter: .seconds(1)
            )
        }
        if !service.configuration.clock.isReliable {
            throw Problem(
                .unavailable,
                "This machine's clock differs from the database's by more than a minute.",
                members: ["part": "clock"],
                retryAfter: .seconds(1)
            )
        }
        return .text("ok\n")
    }
}
