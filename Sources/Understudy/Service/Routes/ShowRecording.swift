import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /session/recording`: the session's recording.
    func showRecording(_ request: Request) async throws -> Response {
        try await withRequiredSession(of: request) { session in
            guard let recorder = session.recorder else {
                if configuration.isDevelopment, shared == nil {
                    throw Problem(
                        .notRecorded,
                        "The session continues another one: its recording would lack the beginning."
                    )
                }
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
