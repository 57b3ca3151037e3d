import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /session/history?since=N`: the commands after N, or without N all that are kept, across all pages.
    func showHistory(_ request: Request) async throws -> Response {
        let since = try sequence(named: "since", in: request)
        return try await withRequiredSession(of: request) { session in
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
