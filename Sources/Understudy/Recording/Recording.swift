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

    /// What went wrong when a controller or its collaborator failed, as far as it is recorded.
    public enum Failure: Error, Equatable, Sendable {
        /// What it depends on did not answer: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
        case unavailable(retryAfter: Duration)
        /// It had more work than it could do: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)``.
        case overloaded(retryAfter: Duration)
        /// The client asked too often: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)``.
        case tooManyRequests(retryAfter: Duration)
        /// Nobody waited for it any more.
        case cancelled
        /// Something else, which is not recorded: it could tell anything.
        case other
    }

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
        public let failure: Failure?
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

    /// What a field whose value was erased holds in a replay.
    package static func placeholder(for kind: Field.Kind) -> Value {
        switch kind {
        case .string: "erased"
        case .number: 0
        case .boolean: false
        }
    }
}

/// Why a recording cannot be read or replayed.
public enum RecordingError: Error, Equatable, CustomStringConvertible, Sendable {
    /// It does not start as a recording does.
    case noRecording
    /// It is written in a version of the format that this one cannot read.
    case otherFormat(Int)
    /// That line, counted from 1, is not what it has to be.
    case malformedLine(Int)
    /// That event, counted from 1, happened on a page that there is not.
    case unknownPage(String, event: Int)
    /// Its texts have been replaced, so that no test can expect them.
    case redacted
    /// Recordings cannot be written to that folder.
    case folder(String, reason: String)

    public var description: String {
        switch self {
        case .noRecording: "this is no recording: its first line does not begin as '{\"recording\":\(Recording.format)'"
        case .otherFormat(let format):
            "it has the format \(format), and those from 1 to \(Recording.format) can be read"
        case .malformedLine(let line): "line \(line) is not part of a recording"
        case .unknownPage(let page, let event): "event \(event) happened on a page '\(page)', which there is not"
        case .redacted: "it is redacted, so that no test can expect its texts; it can be replayed"
        case .folder(let path, let reason): "'\(path)' cannot be written to: \(reason)"
        }
    }
}
