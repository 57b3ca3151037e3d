public import BusinessLogic

/// What happened in a session: its events, what was answered to them, and what the controllers' collaborators said
/// meanwhile. Written as lines of JSON: a header, then one for each event.
///
/// No secret is in it: a field that holds one is listed as erased. In a replay it holds `erased`, 0 or false.
public struct Recording: Equatable, Sendable {
    /// The version of the format that is written. Those from 1 on are read.
    ///
    /// In version 1, an event that failed has the commands that it gave before. Since version 2 it gives none.
    public static let format = 2

    /// An event, and what became of it.
    public struct Event: Equatable, Sendable {
        /// The name of the page on which it happened.
        public let page: String
        /// What happened.
        public let event: BusinessLogic.Event
        /// The values that came with it, but for those that were erased.
        public let values: Value.Object
        /// The fields whose values were erased, since they are secrets.
        public let erased: [String]
        /// What the collaborators answered, in order.
        package let answers: [CollaboratorLog.Answer]
        /// The commands that were given, in order; none if the event failed.
        public internal(set) var commands: [Command]
        /// Why it failed, if it did.
        public let failure: CollaboratorFailure?
    }

    /// The version of Understudy that has recorded it.
    public let understudy: String
    /// When the session was started.
    public let started: Timestamp
    /// Whether letters and digits have been replaced.
    public let isRedacted: Bool
    /// The events, in the order in which they were handled.
    public internal(set) var events: [Event] = []
    /// Whether the last line is cut off, so that the event that it was is not among ``events``.
    public internal(set) var isCut = false

    /// The events that can be played: those before the first that nobody waited for in its middle, since how far that one
    /// came is not known. One whose collaborator gave up can be played.
    public var playable: ArraySlice<Event> {
        events.prefix { $0.failure != .cancelled || $0.answers.contains { $0.result == .failure(.cancelled) } }
    }
}
