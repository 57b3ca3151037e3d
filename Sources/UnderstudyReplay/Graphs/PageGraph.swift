public import BusinessLogic
public import UnderstudyPages

/// A page's state diagram: its states, and the events that lead from one to another.
///
/// To find the states, it sends events to the page's controller, breadth first, from the state of a new session, with the
/// examples that the event table declares, and runs the updates that can become due in each state.
///
/// It calls no collaborator that the controller receives through its ``/Understudy/PageContext``. Instead, it tries each result that the page
/// declares as ``/Understudy/ResultExamples``; without examples, nothing, true and false, a text, a number, an empty list. It calls all
/// others: if their results are always the same, so is the graph.
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
        /// The values of the fields that the event reads. If other values with the same results of collaborators lead to the same state, the
        /// first of them.
        public let values: Value.Object
        /// The results of collaborators that lead to this state; empty if their results make no difference.
        package let results: [CollaboratorLog.Entry]
        /// The commands that the event gave.
        public let commands: [Command]
        /// The index of the state after the event; `nil` if the limits exclude it.
        public let target: Int?
        /// Whether other values lead elsewhere, with the same results.
        var valuesDecide = true
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
    /// - Throws: ``/Understudy/EventExampleError``, before any event is sent, if an example does not match its event;
    ///   ``MissingResultExamples``. Otherwise, the error of a controller or a collaborator, or of encoding a controller's state.
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
            for group in (examples + snapshots[source].updates(of: page, events)).grouped {
                var found: [Transition] = []
                for example in group {
                    let outcomes = try await snapshots[source].outcomes(of: example, on: page)
                    for outcome in outcomes {
                        let after = outcome.after
                        if indices[after.key] == nil, depth <= limits.depth, states.count < limits.states {
                            indices[after.key] = states.count
                            snapshots.append(after)
                            states.append(after.shown)
                            states[states.count - 1].depth = depth
                        }
                        let transition = Transition(
                            source: source,
                            event: example.event,
                            values: example.values,
                            results: outcomes.count == 1 ? [] : outcome.results,
                            commands: outcome.commands,
                            target: indices[after.key]
                        )
                        // Where results decide, values that make no difference would hide it.
                        if let index = found.firstIndex(where: transition.isSame), !transition.results.isEmpty {
                            found[index].valuesDecide = false
                        } else {
                            found.append(transition)
                        }
                    }
                }
                transitions += found
            }
            source += 1
        }
    }
}

extension PageGraph.Transition {
    /// Whether the other one differs only in the values.
    fileprivate func isSame(_ other: PageGraph.Transition) -> Bool {
        results == other.results && commands == other.commands && target == other.target
    }
}

extension [EventExample] {
    /// The examples of each event.
    fileprivate var grouped: [[EventExample]] {
        reduce(into: []) { groups, example in
            if groups.last?.last?.event == example.event {
                groups[groups.count - 1].append(example)
            } else {
                groups.append([example])
            }
        }
    }
}

/// No value is known that a collaborator of a page can return.
public struct MissingResultExamples: Error, Equatable, CustomStringConvertible {
    /// The page.
    public let page: String
    /// The event that calls the collaborator.
    public let event: Event
    /// The collaborator's name in recordings.
    public let collaborator: String

    public var description: String {
        "the event '\(event.name)' of the page '\(page)' calls '\(collaborator)', and no known value is of its type; declare some as "
            + "'resultExamples' of the page"
    }
}
