import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI
import UnderstudyPages

extension Route {
    /// `GET /session/recording`: the session's recording.
    static let showRecording = Route(
        .get,
        "/session/recording",
        operation: ServiceOperation(
            "showRecording",
            .sessions,
            "Download the session's recording",
            """
            Returns JSON values, one in a line: a header, then each event with its values, the results of what it used, \
            and its commands. Secrets are erased. `understudy replay` replays a recording. The service records sessions \
            only if the operator has enabled it.
            """,
            security: .required,
            success: (200, ServiceOperation.answer("The recording.", ContentType.jsonLines.description)),
            errors: [.malformedRequest, .notAuthenticated, .notRecorded, .internalError] + ErrorResponse.onWaiting
        )
    ) { try await $0.showRecording($1) }
}

extension UnderstudyService {
    /// `GET /session/recording`: the session's recording.
    func showRecording(_ request: Request) async throws -> Response {
        try await perform(request) { session in
            guard let recorder = session.recorder else {
                throw Problem(
                    .notRecorded,
                    "The server does not record sessions. The option '--record', or 'recording' of the ServiceConfiguration, turns it on."
                )
            }
            guard !session.hidesRecording else {
                throw Problem(.notRecorded, "The recording contains events of a user who has logged out.")
            }
            return Response(status: 200, contentType: .jsonLines, body: try recorder.bytes)
        }
    }
}
