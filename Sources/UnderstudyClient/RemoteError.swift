public import BusinessLogic

/// The error for an event that a service did not handle, or may not have handled.
///
/// Errors that a local controller would throw arrive as ``/BusinessLogic/EventError`` and
/// ``/BusinessLogic/CollaboratorError`` instead. A cancelled task gets `CancellationError`.
public enum RemoteError: Error, Sendable {
    /// The service has rejected the request, or failed to handle it.
    case problem(RemoteProblem)
    /// All attempts ended without a response. If the service has handled the event, its commands arrive with those of the next
    /// event.
    case transport(any Error)
    /// The response is not a valid response of an Understudy service. The text is the reason, as a sentence.
    case malformedResponse(String)
}

/// An error response of a service (RFC 9457).
public struct RemoteProblem: Equatable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// The code of the error, which is stable.
    public let code: String
    /// What is wrong with this request, and how to correct it.
    public let detail: String?
    /// The `Retry-After` of the response; `nil` if it has none in seconds.
    public let retryAfter: Duration?
    /// All members of the response.
    public let members: Value.Object
}

extension RemoteError: CustomStringConvertible {
    /// The error in one line.
    public var description: String {
        switch self {
        case .problem(let problem): problem.description
        case .transport(let error): "There was no response: \(error)"
        case .malformedResponse(let reason): "The response is not one of an Understudy service: \(reason)"
        }
    }
}

extension RemoteProblem: CustomStringConvertible {
    /// The problem in one line: its status, its code and its detail.
    public var description: String {
        let text = detail ?? members["title"]?.string
        return "\(status) \(code)" + (text.map { ": \($0)" } ?? "")
    }
}

extension RemoteProblem {
    /// Reads an error response. Returns `nil` if it is not a problem.
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
    /// The error that a local controller would have thrown; `nil` if only a service throws this error.
    ///
    /// - Parameter fields: the fields that the event reads.
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
            guard let kind = problem.members["expected"]?.string.flatMap(FieldKind.init(rawValue:)) else { return nil }
            let expected = ExpectedValue(
                kind,
                format: problem.members["format"]?.string,
                example: problem.members["example"] ?? .null
            )
            return EventError.wrongFieldType(field, expected: expected, fields: fields)
        case ("valueTooLong", let field?, _):
            return problem.members["maximum"]?.integer.map { EventError.valueTooLong(field, maximum: $0) }
        case ("unavailable", _, let retryAfter?):
            return CollaboratorError.unavailable(retryAfter: retryAfter, part: problem.members["part"]?.string)
        case ("overloaded", _, let retryAfter?):
            return CollaboratorError.overloaded(retryAfter: retryAfter)
        case ("tooManyRequests", _, let retryAfter?):
            return CollaboratorError.tooManyRequests(retryAfter: retryAfter)
        default:
            return nil
        }
    }
}
