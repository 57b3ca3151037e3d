public import BusinessLogic
public import UnderstudyPages
import UnderstudySessions

/// A page's state diagram: its states, and the events that lead from one to another.
///
/// To find the states, it sends events to the page's controller, breadth first, with the examples that the event table declares, at once
/// and after each duration that makes a difference. It also runs the updates that can become due in each state.
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
        package internal(set) var results: [CollaboratorLog.Entry]
        /// How long after the state was reached, as far as it makes a difference.
        public let wait: Duration
        /// The commands that the event gave.
        public let commands: [Command]
        /// The index of the state after the event; `nil` if the limits exclude it.
        public let target: Int?
        /// Whether other values lead elsewhere, with the same results.
        var valuesDecide = true
    }

    /// The maximum number of events in a row, unless a graph states another one.
    public static let defaultDepth = 12
    /// The maximum number of states, unless a graph states another one.
    public static let defaultStates = 64

    /// The page's name.
    public let page: String
    /// The states. The first is the one in which the graph starts.
    public let states: [State]
    /// The transitions, ordered by their states and by the declaration of their events.
    public let transitions: [Transition]

    /// Whether the limits exclude some states.
    public var isCut: Bool { transitions.contains { $0.target == nil } }

    /// Finds the states of a page.
    ///
    /// For an event without declared examples, each field has the value `text`, 1 or true.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - user: the user who is logged in at the start. If there is a user, the graph shows which events log the user out. Otherwise, no
    ///     user is logged in before any event.
    ///   - events: the events to send; `nil` for all.
    ///   - depth: the maximum number of events in a row, because a page may have any number of states.
    ///   - maximumStates: the maximum number of states.
    /// - Throws: ``/Understudy/EventExampleError``, before any event is sent, if an example does not match its event;
    ///   ``MissingResultExamples``. Otherwise, the error of a controller or a collaborator,
    ///   or of encoding a controller's state.
    public init(
        of page: Page,
        user: User? = nil,
        events: Set<Event>? = nil,
        depth: Int = PageGraph.defaultDepth,
        states maximumStates: Int = PageGraph.defaultStates
    ) async throws {
        self.page = page.name
        let examples = try ComparedPage(examplesOf: page, events)
        let program = GraphedPage(page, events: events, showsUser: user != nil)
        let (first, state) = try program.start(of: user)
        var finder = TransitionFinder(from: state, depth: depth, states: maximumStates)
        var limits = Comparison.Limits()
        // The events in the last states belong to the graph as well.
        limits.depth = depth.addingSaturated(1)
        limits.pairs = maximumStates
        let search = Comparison(of: program, examples, from: first, limits: limits)
        search.onOutcome = { finder.add($0, leadingTo: program.state, program.commands) }
        search.onMissingResults = { collaborator, step in
            throw MissingResultExamples(page: page.name, event: Event(step.event), collaborator: collaborator)
        }
        _ = try await search.run()
        states = finder.states
        transitions = finder.transitions(of: page)
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
