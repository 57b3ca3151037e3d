public import BusinessLogic
public import UnderstudyPages

/// A page's state diagram: its states, and the events that lead from one to another.
///
/// To find the states, it sends events to the page's controller, breadth first, from the state of a new session, with the
/// examples that the event table declares, and runs the updates that can become due in each state. If the collaborators' results are always the same, so is the graph.
///
/// ```swift
/// let graph = try await PageGraph(of: Page("guestbook") { _ in GuestbookController() })
/// print(graph.mermaid)
/// ```
public struct PageGraph: Equatable, Sendable {
    /// A page's state between two events: its controller's state without times, the session's values, and what its screen shows.
    ///
    /// It contains neither the values of fields, because each event is sent with all its values, nor the alert and the
    /// destination, which belong to an event.
    public struct State: Equatable, Sendable {
        /// The controller's state. Times are null.
        public let memory: Value
        /// The session's values that the controller uses, by name. Times are null.
        public let sessionValues: Value.Object
        /// The user who is logged in. In a graph that starts without a user, always `nil`.
        public let user: User?
        /// What the screen shows: for each key, the value of the latest `render` command.
        public let rendered: Value.Object
        /// The smallest number of events that lead from the first state to this one.
        public fileprivate(set) var depth = 0
        /// The members of ``memory`` and ``sessionValues`` that are not null, in one object. All times have the same text. A state that
        /// is not an object is the member `state`.
        let members: Value.Object
    }

    /// An event that was sent in a state.
    public struct Transition: Equatable, Sendable {
        /// The index in ``PageGraph/states`` of the state before the event.
        public let source: Int
        /// The event.
        public let event: Event
        /// The values of the fields that the event reads.
        public let values: Value.Object
        /// The commands that the event gave.
        public let commands: [Command]
        /// The index of the state after the event; `nil` if the limits exclude it.
        public let target: Int?
    }

    /// Limits on the search, because a page may have any number of states.
    public struct Limits: Equatable, Sendable {
        /// The maximum number of events in a row.
        public var depth: Int
        /// The maximum number of states.
        public var states: Int

        /// Creates limits. The defaults are 12 events and 64 states.
        public init(depth: Int = 12, states: Int = 64) {
            self.depth = depth
            self.states = states
        }
    }

    /// The page's name.
    public let page: String
    /// The states. The first is that of a new session.
    public private(set) var states: [State]
    /// The transitions, ordered by their states and by the declaration of their events.
    public private(set) var transitions: [Transition] = []

    /// Whether the limits exclude some states.
    public var isCut: Bool { transitions.contains { $0.target == nil } }

    /// Finds the states of a page.
    ///
    /// For an event without declared examples, each field has the value `text`, 1 or true.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - user: the user who is logged in at the start. The graph then shows which events log the user out. If `nil`, no user is
    ///     logged in before any event.
    ///   - events: the events to send; `nil` for all.
    ///   - limits: when to stop.
    /// - Throws: ``/Understudy/EventExampleError``, before any event is sent, if an example does not match its event. Otherwise, the
    ///   error of a controller or a collaborator, or of encoding a controller's state.
    public init(
        of page: Page,
        user: User? = nil,
        events: Set<Event>? = nil,
        limits: Limits = Limits()
    ) async throws {
        self.page = page.name
        let examples = try page.examples(of: events)
        let start = try PageStateSnapshot(of: page, user: user)
        var snapshots = [start]
        var indices = [start.key: 0]
        states = [start.shown]
        var source = 0
        while source < snapshots.count {
            let depth = states[source].depth + 1
            for example in examples + snapshots[source].updates(of: page, events) {
                let (commands, after) = try await snapshots[source].afterEvent(example, on: page)
                if indices[after.key] == nil, depth <= limits.depth, states.count < limits.states {
                    indices[after.key] = states.count
                    snapshots.append(after)
                    states.append(after.shown)
                    states[states.count - 1].depth = depth
                }
                transitions.append(
                    Transition(
                        source: source,
                        event: example.event,
                        values: example.values,
                        commands: commands,
                        target: indices[after.key]
                    )
                )
            }
            source += 1
        }
    }
}
