public import BusinessLogic

/// Why a service did not handle an event, or why it is not known whether it did.
///
/// What the local controller would have thrown too is thrown as ``/BusinessLogic/EventError`` and
/// ``/BusinessLogic/CollaboratorError`` instead; a task that is cancelled gets `CancellationError`.
public enum RemoteError: Error, Sendable {
    /// The service has refused.
    case problem(RemoteProblem)
    /// There was no answer, however often the request was sent. The event may have been handled; if it was, its commands
    /// come with the next one's.
    case transport(any Error)
    /// The answer is none of an Understudy service of this version; the text says why.
    case malformedResponse(String)
}

/// An error as a service tells it (RFC 9457).
public struct RemoteProblem: Equatable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// Says which error; never changes.
    public let code: String
    /// What is wrong in this case, and what would be right.
    public let detail: String?
    /// When to try again.
    public let retryAfter: Duration?
    /// Everything that the service says of it.
    public let members: Value.Object
}

extension RemoteError: CustomStringConvertible {
    /// The error in one line.
    public var description: String {
        switch self {
        case .problem(let problem): problem.description
        case .transport(let error): "There was no answer: \(error)"
        case .malformedResponse(let reason): "The answer is none of an Understudy service: \(reason)"
        }
    }
}

extension RemoteProblem: CustomStringConvertible {
    /// The problem in one line: its status, its code and what is wrong.
    public var description: String {
        let words = detail ?? members["title"]?.string
        return "\(status) \(code)" + (words.map { ": \($0)" } ?? "")
    }
}

extension RemoteProblem {
    /// The problem that an answer is; `nil` where it is none.
    init?(_ response: RemoteResponse) {
        guard let members = try? response.json.object, let code = members["code"]?.string else { return nil }
        self.init(
            status: response.status,
            code: code,
            detail: members["detail"]?.string,
            retryAfter: response.retryAfter,
            members: members
        )
    }
}

extension RemoteError {
    /// What the local controller would have thrown, where it would have thrown something.
    ///
    /// - Parameter fields: what the event reads.
    func localError(of event: Event, reading fields: [String]) -> (any Error)? {
        guard case .problem(let problem) = self else { return nil }
        let field = problem.members["field"]?.string
        switch (problem.code, field, problem.retryAfter) {
        case ("unknownEvent", _, _):
            let events = problem.members["events"]?.array ?? []
            return EventError.unknownEvent(event, events: events.compactMap(\.string).map { Event($0) })
        case ("missingField", let field?, _):
            return EventError.missingField(field, fields: fields)
        case ("wrongFieldType", let field?, _):
            let expected = problem.members["expected"]?.string.flatMap(Field.Kind.init(rawValue:))
            return expected.map { EventError.wrongFieldType(field, expected: $0, fields: fields) }
        case ("valueTooLong", let field?, _):
            return problem.members["maximum"]?.integer.map { EventError.valueTooLong(field, maximum: $0) }
        case ("unavailable", _, let retryAfter?):
            return CollaboratorError.unavailable(retryAfter: retryAfter)
        case ("overloaded", _, let retryAfter?):
            return CollaboratorError.overloaded(retryAfter: retryAfter)
        case ("tooManyRequests", _, let retryAfter?):
            return CollaboratorError.tooManyRequests(retryAfter: retryAfter)
        default:
            return nil
        }
    }
}
