public import BusinessLogic
public import UnderstudyPages

/// A session's events, the responses to them, and the results of the controllers' collaborators.
///
/// A recording is a file with lines of JSON: a header, then one line for each event, and one for each request that the service rejected
/// because of its event or its values. It contains no secrets: the values of secret fields are erased. In a replay, such a field
/// contains `erased`, 0 or false.
public struct Recording: Equatable, Sendable {
    package static let format = 1

    /// An event with its response and its results.
    public struct Event: Equatable, Sendable {
        /// The name of the page on which it happened.
        public let page: String
        /// What happened.
        public let event: BusinessLogic.Event
        /// The values that came with the event, except those that were erased.
        public let values: Value.Object
        /// The fields whose values were erased: secret ones, and in a rejected request those that the page does not know.
        public let erased: [String]
        package let results: [CollaboratorLog.Entry]
        /// The members of ``EventResponse/value(_:)``.
        package let response: Value.Object
        /// The commands that the event gave, in order; empty if the event failed or was rejected.
        public let commands: [Command]
        /// Why the event failed, if it did.
        public let failure: CollaboratorFailure?
        /// Why the service rejected the request without running the event, if it did: the members of the problem.
        public var problem: Value.Object? { response["problem"]?.object }

        /// Whether the event was cancelled, so that how far the controller came is unknown. The event changed
        /// nothing. An event that was cancelled inside a collaborator can be replayed.
        package var isAbandoned: Bool {
            failure?.reason == .cancelled && !results.contains { $0.result == .failure(.init(.cancelled)) }
        }
    }

    /// The version of Understudy that recorded the session.
    public let understudy: String
    /// When the session started.
    public let started: Timestamp
    /// Whether the letters and digits of all texts are replaced.
    public let isRedacted: Bool
    /// The ID of the agent that has used the session in place of its user, as the audit log has it; `nil` if none has.
    public internal(set) var agent: String?
    /// The events, in the order in which they were handled.
    public internal(set) var events: [Event] = []
    /// Whether the last line is incomplete. Its event is not in ``events``.
    public internal(set) var isCut = false
}

/// Why a recording cannot be read or replayed.
public enum RecordingError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The first line is not a recording's header.
    case noRecording
    /// The recording has a format that this version cannot read.
    case otherFormat(Int)
    /// A line, counted from 1, is not valid.
    case malformedLine(Int)
    /// An event, counted from 1, happened on a page that is not served.
    case unknownPage(String, event: Int)
    /// Recordings cannot be written to the folder.
    case folder(String, reason: String)

    public var description: String {
        switch self {
        case .noRecording:
            "this is not a recording: its first line does not begin with '{\"recording\":'"
        case .otherFormat(let format):
            "the recording has format \(format); this version reads format \(Recording.format)"
        case .malformedLine(let line): "line \(line) is not a valid line of a recording"
        case .unknownPage(let page, let event): "event \(event) happened on the page '\(page)', which is not served"
        case .folder(let path, let reason): "'\(path)' cannot be written to: \(reason)"
        }
    }
}
