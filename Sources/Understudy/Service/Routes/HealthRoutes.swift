import BusinessLogic
import HTTPMessages
import SessionStorage
import UnderstudyPages

extension UnderstudyService {
    /// `GET /livez`: whether the process is alive.
    func showLiveness() throws -> Response {
        if !isAlive { throw Self.unavailable("An event loop is blocked.") }
        return .text("ok\n")
    }

    /// `GET /readyz`: whether the service accepts requests.
    func showReadiness() throws -> Response {
        switch readiness.state {
        case .starting: throw Self.unavailable("The server is starting.")
        case .ready: break
        case .leaving, .draining: throw Self.unavailable("The server is stopping.")
        }
        if configuration.sessionStore?.isAvailable == false {
            throw Self.unavailable("The database cannot be reached or written.", part: "database")
        }
        if !configuration.clock.isReliable {
            throw Self.unavailable(
                "This machine's clock differs from the database's by more than a minute.",
                part: "clock"
            )
        }
        return .text((["ok"] + configuration.readinessHints()).map { $0 + "\n" }.joined())
    }

    /// Samples the metrics, and returns what `/readyz` responds now.
    package func sampleHealth() -> (status: Int, body: String) {
        let response: Response
        do {
            response = try showReadiness()
        } catch {
            response = (Problem(error) ?? Problem(.internal)).response(id: "", below: configuration.pathPrefix)
        }
        metrics.sample(isReady: response.status == 200)
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    private static func unavailable(_ detail: String, part: Value? = nil) -> Problem {
        Problem(.unavailable, detail, members: part.map { ["part": $0] } ?? [:], retryAfter: .seconds(1))
    }
}
