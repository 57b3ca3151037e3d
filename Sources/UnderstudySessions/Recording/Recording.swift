public import BusinessLogic
public import UnderstudyPages

/// A session's events, the commands that they gave, and the results of the controllers' collaborators.
///
/// A recording is a file with lines of JSON: a header, then one line for each event. It contains no secrets: the values of
/// secret fields are erased. In a replay, such a field contains `erased`, 0 or false.
public struct Recording: Equatable, Sendable {
    /// The version of the format that is written. All versions from 1 can be read.
    ///
    /// In version 1, a failed event contains the commands that it gave before it failed. Since version 2, it contains none.
    static let format = 2

    /// An event with its commands, its results and its failure.
    public struct Event: Equatable, Sendable {
        /// The name of the page on which it happened.
        public let page: String
        /// What happened.
        public let event: BusinessLogic.Event
        /// The values that came with the event, except those that were erased.
        public let values: Value.Object
        /// The secret fields whose values were erased.
        public let erased: [String]
        /// The collaborators' results, in order.
        package let results: [CollaboratorLog.Entry]
        /// The commands that the event gave, in order; empty if the event failed.
        public internal(set) var commands: [Command]
        /// Why the event failed, if it did.
        public let failure: CollaboratorFailure?
    }

    /// The version of Understudy that recorded the session.
    public let understudy: String
    /// When the session started.
    public let started: Timestamp
    /// Whether the letters and digits of all texts are replaced.
    public let isRedacted: Bool
    /// The events, in the order in which they were handled.
    public internal(set) var events: [Event] = []
    /// Whether the last line is incomplete. Its event is not in ``events``.
    public internal(set) var isCut = false

    /// The events that can be replayed: all before the first that was cancelled outside a collaborator, because how far its
    /// controller came is unknown. An event that was cancelled inside a collaborator can be replayed.
    public var playable: ArraySlice<Event> {
        events.prefix { $0.failure != .cancelled || $0.results.contains { $0.result == .failure(.cancelled) } }
    }
}
