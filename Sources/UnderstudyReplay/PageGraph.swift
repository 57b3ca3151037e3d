public import BusinessLogic
public import Understudy

/// What a page can come to: its states, and the events that lead from one to another.
///
/// It is found out by driving the page's controller, breadth first, from the state of a new session, with the values that
/// its declaration gives as examples. The same page gives the same graph every time, if what its controllers ask, such as
/// a repository, answers the same every time.
///
/// ```swift
/// let graph = try await PageGraph(of: Page("guestbook") { _ in GuestbookController() })
/// print(graph.mermaid)
/// ```
public struct PageGraph: Equatable, Sendable {
    /// What a page is between two events: what its controller remembers, but for points in time, and what its screen shows.
    ///
    /// What the screen's fields hold is no part of it, since each event brings its values along; nor are an alert and the
    /// page gone to, which belong to the event that gave them.
    public struct State: Equatable, Sendable {
        /// What the controller remembers. Points in time are null.
        public let memory: Value
        /// What is shown: the last value rendered at each key.
        public let rendered: Value.Object
        /// How many events it takes to get there.
        public let depth: Int
        /// The members of the memory that are points in time.
        let times: Set<String>

        fileprivate init(_ moment: PageMoment, depth: Int) {
            memory = moment.memory
            rendered = moment.rendered
            times = moment.times
            self.depth = depth
        }
    }

    /// An event that happened in a state.
    public struct Transition: Equatable, Sendable {
        /// The place in ``PageGraph/states`` of the state in which it happened.
        public let source: Int
        /// The event.
        public let event: Event
        /// What the fields that it reads held.
        public let values: Value.Object
        /// The commands that it gave.
        public let commands: [Command]
        /// The place of the state that it led to; `nil` where that is past the limits.
        public let target: Int?
    }

    /// Where to stop: a page may have any number of states.
    public struct Limits: Equatable, Sendable {
        /// How many events there may be one after the other.
        public var depth: Int
        /// How many states there may be.
        public var states: Int

        /// Limits; 12 events and 64 states unless said otherwise.
        public init(depth: Int = 12, states: Int = 64) {
            self.depth = depth
            self.states = states
        }
    }

    /// The page's name.
    public let page: String
    /// The states, first that of a new session.
    public private(set) var states: [State]
    /// What happens in each, in the order of the states and of the events' declaration.
    public private(set) var transitions: [Transition] = []

    /// Whether there is more, past the limits.
    public var isCut: Bool { transitions.contains { $0.target == nil } }

    /// Drives a page.
    ///
    /// An event whose declaration gives no examples is sent with a value that stands for any of its kind: `text`, 1, true.
    /// Each event comes from a client who has not logged in: who is logged in belongs to the session, not to the page.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - events: which of its events happen; all unless given.
    ///   - limits: where to stop.
    /// - Throws: ``EventExampleError`` where an example does not fit what its event reads; nothing has run then. Else what a
    ///   controller or one of its collaborators threw, or the error of encoding a controller's state.
    public init(of page: Page, events: Set<Event>? = nil, limits: Limits = Limits()) async throws {
        self.page = page.name
        let examples = try page.examples(of: events)
        let start = try PageMoment(Session.Screen(page))
        var moments = [start]
        var places = [start.key: 0]
        states = [State(start, depth: 0)]
        var source = 0
        while source < moments.count {
            let depth = states[source].depth + 1
            for example in examples {
                let screen = moments[source].screen(of: page)
                let commands = try await screen.commands(of: example)
                let after = try PageMoment(screen)
                if places[after.key] == nil, depth <= limits.depth, states.count < limits.states {
                    places[after.key] = states.count
                    moments.append(after)
                    states.append(State(after, depth: depth))
                }
                transitions.append(
                    Transition(
                        source: source,
                        event: example.event,
                        values: example.values,
                        commands: commands,
                        target: places[after.key]
                    )
                )
            }
            source += 1
        }
    }
}
