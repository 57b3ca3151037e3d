import BusinessLogic
import UnderstudyPages
import UnderstudySessions

/// A session without a service, whose collaborators return given results.
final class OfflineSession {
    struct Outcome {
        /// See ``/UnderstudySessions/EventResponse/value(_:)``.
        var response: Value.Object
        /// The collaborator that was called more often than it has results, if any, as a description.
        var missing: String?
        var unused: [String]
    }

    let pages: Pages
    let log = CollaboratorLog(.replaying)
    let session: Session
    private let context: ResponseContext
    private let isRedacted: Bool

    /// Creates a session without a user, whose responses may be redacted.
    init(_ pages: Pages, isRedacted: Bool = false) {
        self.pages = pages
        session = Session(replaying: log)
        context = ResponseContext(links: pages.links)
        self.isRedacted = isRedacted
    }

    /// Handles the event as a service does. The results are those of the next calls of collaborators.
    func play(_ event: Event, on page: Page, values: Value.Object, results: [CollaboratorLog.Entry]) async -> Outcome {
        log.put(results)
        var response = EventResponse()
        response.user = session.identity.user
        var started = false
        do {
            let index = try page.declarationIndex(of: event)
            var (accepted, faults) = (values, FieldFaults.none)
            if index < page.events.count {
                (accepted, faults) = try page.accept(Submission(event: event, values: values), for: page.events[index])
            }
            let transaction = try session.beginEvent(index, of: page, values: accepted, rejected: faults)
            started = true
            do {
                try session.values.requireOneType()
                try await transaction.screen.controller.handleEvent(at: index) {}
                response.commands = page.recorded(transaction.commands)
                response.user = session.identity.user
                transaction.commit()
            } catch {
                // A failed event gives no commands. Those before a missing result help to find the difference.
                if !log.missing.isEmpty { response.commands = page.recorded(transaction.commands) }
                transaction.rollBack()
                let isCancelled = results.contains { $0.result == .failure(CollaboratorFailure(.cancelled)) }
                throw (isCancelled ? nil : ControllerError(error, of: page.declarations[index])) ?? error
            }
        } catch {
            switch error {
            case let error as EventError where !started: response.problem = error.recorded()
            case let problem as Problem where !started: response.problem = problem.recorded
            default: response.failure = CollaboratorFailure(error)
            }
        }
        if isRedacted { response = response.redacted }
        response.validations = page.validations(of: values)
        let missing = log.missing.first?.description
        return Outcome(response: response.value(context), missing: missing, unused: log.take().map(\.name))
    }
}
