package import BusinessLogic
package import UnderstudyPages

/// An event with all that it depended on and all that it gave, so that another program can run it from the same state.
///
/// It contains the secrets that the client sent. It must not be stored or logged.
package struct ObservedEvent: Sendable {
    /// The page of the event.
    package let page: Page
    /// What happened.
    package let event: Event
    /// The values that came with the event.
    package let values: Value.Object
    /// The session before the event.
    package let before: SessionCopy
    /// The session after the event.
    package let after: SessionCopy
    /// When the event began.
    package let time: Timestamp
    /// The results of the collaborators, in order.
    package let results: [CollaboratorLog.ObservedResult]
    /// What the event gave, without the results of the page's rules.
    package let response: EventResponse
    /// About how many bytes the event takes.
    package let size: Int
}

/// Receives a sample of the events of a service.
///
/// Event loops call it: it must neither wait nor compute for long.
package protocol EventObserver: Sendable {
    /// Whether events of the next session can be observed. Decides anew at each call. A session outside of the sample costs nothing.
    func samplesSession() -> Bool

    /// Whether to observe the next event of a session in the sample. Decides anew at each call.
    func samplesEvent() -> Bool

    /// Receives an event after its response has been decided.
    func observe(_ event: ObservedEvent)
}

/// The observation of an event while it runs. Use it only while holding the session's lock.
///
/// Call one of ``handled(_:user:)``, ``failed(_:)`` and ``rejected(_:)`` at the end of the event.
package final class EventObservation {
    private let posted: PostedEvent
    private let session: Session
    private let log: CollaboratorLog
    private let before: SessionCopy
    private let time: Timestamp
    /// The event, after its end; `nil` if it cannot be compared.
    package private(set) var event: ObservedEvent?

    /// Begins to observe an event.
    ///
    /// - Parameter log: the log of the session's collaborators.
    package init(_ event: PostedEvent, in session: Session, log: CollaboratorLog, at time: Timestamp) {
        posted = event
        self.session = session
        self.log = log
        self.time = time
        before = SessionCopy(session)
        log.beginObservation()
    }

    /// Ends the observation of an event that the controller has handled.
    package func handled(_ commands: ArraySlice<CommandHistory.Entry>, user: User?) {
        var response = EventResponse()
        response.commands = commands.map(\.command)
        response.user = user
        end(response, posted.values)
    }

    /// Ends the observation of an event that has failed.
    package func failed(_ error: any Error) {
        let failure = CollaboratorFailure(error)
        // How far the controller came depends on how long the client has waited, or on how much the session stores.
        guard failure != .cancelled, (error as? Problem)?.code != .sessionFull else {
            _ = log.endObservation()
            return
        }
        var response = EventResponse()
        response.user = session.identity.user
        response.failure = failure
        end(response, posted.values)
    }

    /// Ends the observation of an event whose values were rejected.
    package func rejected(_ error: EventError) {
        let declaration = posted.page.events[posted.index]
        guard let submission = try? Submission(posted.request),
            let values = try? posted.page.values(of: submission, for: declaration)
        else {
            _ = log.endObservation()
            return
        }
        var response = EventResponse()
        response.user = session.identity.user
        response.problem = error.recorded(below: submission.pointer)
        end(response, values)
    }

    private func end(_ response: EventResponse, _ values: Value.Object) {
        let results = log.endObservation()
        event = ObservedEvent(
            page: posted.page,
            event: posted.page.events[posted.index].event,
            values: values,
            before: before,
            after: SessionCopy(session),
            time: time,
            results: results,
            response: response,
            // A result is usually small, or shares its memory with the collaborator.
            size: 2 * session.contentSize + values.memorySize + 1024 * results.count
        )
    }
}
