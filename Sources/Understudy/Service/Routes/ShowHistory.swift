import BusinessLogic
import MicroHTTP

extension Route {
    /// `GET /session/history?since=N`: the commands after N, across all pages.
    static let showHistory = Route(
        .get,
        "/session/history",
        operation: ServiceOperation(
            "showHistory",
            .sessions,
            "See what has happened in the session",
            """
            All commands after the one numbered `since`, over all pages: what a client needs that has missed an answer. \
            The last 256 commands are kept, or fewer if they are large.
            """,
            security: .required,
            parameters: [Parameter.since.reference],
            success: (200, ServiceOperation.answer("The commands.", "application/json", .schema("History"))),
            errors: [.invalidParameter, .notAuthenticated, .historyGone, .internalError] + ErrorResponse.onWaiting
        )
    ) { try await $0.showHistory($1) }
}

extension UnderstudyService {
    /// `GET /session/history?since=N`: the commands after N, across all pages.
    func showHistory(_ request: Request) async throws -> Response {
        let since = try sequence(named: "since", in: request)
        return try await perform(request) { session in
            guard let commands = session.history.since(since) else {
                throw Problem(
                    .historyGone,
                    "The last \(session.history.limit) commands are kept.",
                    members: ["sequence": Value(session.history.sequence)]
                )
            }
            return Response(
                status: 200,
                contentType: .json,
                body: CommandResponse.json(sequence: session.history.sequence, commands: commands)
            )
        }
    }

    /// A query parameter that is a whole number from 0. The default is 0.
    private func sequence(named name: String, in request: Request) throws(Problem) -> Int {
        for parameter in request.query?.split(separator: "&") ?? [] {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            guard parts.count == 2, let number = Int(parts[1]), number >= 0, parts[1].first != "+" else {
                throw Problem(.invalidParameter, "'\(name)' must be a whole number from 0.")
            }
            return number
        }
        return 0
    }
}
