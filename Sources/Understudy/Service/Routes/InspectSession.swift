import BusinessLogic
import HTTPMessages
import Logging
import UnderstudyPages
import UnderstudySessions

/// What the inspector of pages reads and sends. These routes exist only if ``ServiceConfiguration/isDevelopment`` is set, and are no
/// part of the API.
extension Route {
    static let inspection = [
        Route(.get, "/session/inspection") { service, request, _ in try await service.inspectSession(request) },
        Route(.post, "/session/inspection") { service, request, _ in try await service.forkSession(request) },
    ]
}

extension UnderstudyService {
    /// `GET /session/inspection`: everything that the session stores, and its token, for a command that continues the session.
    func inspectSession(_ request: Request) async throws -> Response {
        let token = SessionCredential.token(in: request.headers, cookieName: configuration.cookieName)
        return try await withRequiredSession(of: credential(of: request), isUse: false) { session in
            var content = try session.snapshot
            // Only one session may hold what belongs to the key.
            content.key = nil
            let snapshot = try content.json
            return .json([
                "token": Value(token?.text),
                "snapshot": .string(String(decoding: snapshot, as: UTF8.self)),
                "seal": .string(inspectionKey.seal(snapshot)),
            ])
        }
    }

    /// `POST /session/inspection`: starts another session with what this one, or an earlier one, has stored. The client continues in it. Or logs
    /// what the HTML of a page names in vain.
    ///
    /// - Throws: ``Problem`` `malformedBody` unless this process has made the snapshot, because a snapshot names its user.
    func forkSession(_ request: Request) async throws -> Response {
        let body = try Submission.jsonObject(request)
        if let warning = body?["warning"]?.string {
            logger.warning(
                "The HTML of a page does not fit what the server declares",
                metadata: ["reason": "\(warning)"]
            )
            return Response(status: 204)
        }
        guard let text = body?["snapshot"]?.string, let seal = body?["seal"]?.string else {
            throw Problem(.malformedBody, "The body must contain 'snapshot' and 'seal', as GET returns them.")
        }
        let snapshot = Array(text.utf8)
        guard inspectionKey.seal(snapshot) == seal else {
            throw Problem(.malformedBody, "The server has not made this snapshot since its start.")
        }
        let token = try await startSession(for: request, from: SessionSnapshot(json: snapshot))
        return Response(status: 204, headers: [sessionCookie.field(token)])
    }
}
