import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

extension UnderstudyService {
    /// The event is about to run. A page that may change the user sends its commands when the event has ended, because the header of its response may
    /// need a new cookie.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if the session has ended since the stream began.
    func startStream(
        of event: PostedEvent,
        _ transaction: borrowing EventTransaction,
        newToken: SessionToken?
    ) throws(Problem) {
        guard let stream = event.stream else { return }
        stream.eventStarts()
        guard !transaction.screen.mayChangeUser else { return }
        let language = event.language
        guard stream.open(head(of: event, language, newToken), token: newToken) else { throw Problem.sessionHasChanged }
        if event.preference == .minimal { return }
        let context = language?.context ?? context
        let recorder = transaction.screen.recorder
        recorder.observeEvent { [unowned recorder] in stream.send(recorder.eventCommands, context) }
    }

    private func head(of event: PostedEvent, _ language: Language?, _ newToken: SessionToken?) -> Response {
        var head = EventStream.head(language)
        if let preference = event.preference { head.headers.append(preference.applied) }
        if let newToken { head.headers.append(sessionCookie.field(newToken)) }
        addHeaders(to: &head, of: event.request)
        return head
    }

    /// Checks that the response can still contain the session's new token, if the event has changed the user.
    func requireTokenCanBeSent(to event: PostedEvent, in session: Session) throws(UserChangeError) {
        guard let stream = event.stream ?? event.precedingStream, session.identity.hasChanged,
            !event.credential.isBearer, stream.end()
        else { return }
        throw UserChangeError(
            description: "The page '\(event.page.name)' has logged a user in or out after it had sent commands. "
                + "Create it with `changesUser: true`."
        )
    }
}

/// A controller has logged a user in or out, and no response can contain the session's new token: the description says why.
struct UserChangeError: Error, CustomStringConvertible {
    let description: String
}
