import BusinessLogic
import UnderstudyPages
import UnderstudySessions

/// A page whose states a search finds for a graph.
final class GraphedPage: SteppedProgram {
    private let page: Page
    private let events: Set<Event>?
    private let showsUser: Bool
    private let step: ApplicationStep
    /// The state after the last step.
    private(set) var state: PageGraph.State?
    /// The commands that the last step has given.
    private(set) var commands: [Command] = []

    /// - Parameters:
    ///   - events: the events and updates that run; `nil` for all.
    ///   - showsUser: whether the states contain the user. If not, each event runs without a user.
    init(_ page: Page, events: Set<Event>?, showsUser: Bool) {
        self.page = page
        self.events = events
        self.showsUser = showsUser
        step = ApplicationStep([page])
    }

    func send(_ request: Value.Object) -> () async throws -> Value.Object { { try await self.output(of: request) } }

    /// - Throws: the error of the event, unless a collaborator has no result of the right type.
    private func output(of request: Value.Object) async throws -> Value.Object {
        let (output, session, outcome) = try await step.run(request)
        if let error = outcome.error, StepOutcome(output).hasAllResults { throw error }
        commands = outcome.commands
        let state = try PageGraph.State(of: page, in: session.session, showsUser: showsUser)
        self.state = state
        return shown(output, as: state)
    }

    /// What a search can start from: the output of a step that has led to a new session with a user, and its state.
    ///
    /// - Throws: the error of encoding the controller's state.
    func start(of user: User?) throws -> (StepOutcome, PageGraph.State) {
        let session = OfflineSession(step.pages).session
        session.identity.restore(user)
        let output: Value.Object = ["state": try session.state, "updates": .array(session.pendingUpdates.map(\.value))]
        let state = try PageGraph.State(of: page, in: session, showsUser: showsUser)
        return (StepOutcome(shown(output, as: state)), state)
    }

    /// The output of a step with what identifies the state, and without what the graph does not show.
    private func shown(_ output: Value.Object, as state: PageGraph.State) -> Value.Object {
        var output = output
        output["graphState"] = state.outline
        if !showsUser, var members = output["state"]?.object {
            members["user"] = nil
            output["state"] = .object(members)
        }
        let updates = (output["updates"]?.array ?? []).filter { update in
            guard let name = update["update"]?.string else { return false }
            return events?.contains(Event(name)) ?? true
        }
        output["updates"] = .array(updates)
        return output
    }
}
