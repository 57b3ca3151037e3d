import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI
import UnderstudyPages

extension Route {
    /// `GET /session/history?since=N`: the commands after N, or without N all that are kept, across all pages.
    static let showHistory = Route(
        .get,
        "/session/history",
        operation: ServiceOperation(
            "showHistory",
            .sessions,
            "Show the session's commands",
            """
            Returns the commands that the session has given after the one with the number `since`, across all its pages, \
            for a client that missed a response. A session keeps its last 256 commands, or fewer if they are large.
            """,
            security: .required,
            parameters: [Parameter.since.reference],
            success: (
                200,
                ServiceOperation.answer(
                    "The commands.",
                    "application/json",
                    .schema("History"),
                    example: [
                        "sequence": 1,
                        "commands": [
                            [
                                "sequence": 1, "page": "signup", "command": "render", "key": "submitButtonEnabled",
                                "value": false,
                            ]
                        ],
                    ],
                    headers: ResponseHeader.ofTexts
                )
            ),
            errors: [.invalidParameter, .notAuthenticated, .historyGone, .internalError] + ErrorResponse.onWaiting
        )
    ) { try await $0.showHistory($1) }
}

extension UnderstudyService {
    /// `GET /session/history?since=N`: the commands after N, or without N all that are kept, across all pages.
    func showHistory(_ request: Request) async throws -> Response {
        let since = try sequence(named: "since", in: request)
        return try await perform(request) { session in
            let history = session.history
            guard let commands = since.map({ history.since($0) }) ?? history.kept else {
                throw Problem(
                    .historyGone,
                    "The last \(session.history.limit) commands are kept.",
                    members: ["sequence": Value(session.history.sequence)]
                )
            }
            let language = language(of: commands, for: request)
            return Response(
                status: 200,
                contentType: .json,
                common: language?.headers,
                body: CommandResponse.history(
                    sequence: session.history.sequence,
                    commands: commands,
                    context: language?.context ?? context
                )
            )
        }
    }

    /// A query parameter that is a whole number from 0; `nil` if the request does not contain it.
    private func sequence(named name: String, in request: Request) throws(Problem) -> Int? {
        for parameter in request.query?.split(separator: "&") ?? [] {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            guard parts.count == 2, let number = Int(parts[1]), number >= 0, parts[1].first != "+" else {
                throw Problem(.invalidParameter, "'\(name)' must be a whole number from 0.")
            }
            return number
        }
        return nil
    }
}
