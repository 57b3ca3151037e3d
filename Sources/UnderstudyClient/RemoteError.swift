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
    /// Returns `nil` if the response is not a problem.
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
    /// The error that a local controller would have thrown; `nil` if only a service throws this error. The fields are those that the event reads.
    func localError(of event: Event, reading fields: [String]) -> (any Error)? {
        guard case .problem(let problem) = self else { return nil }
        if problem.code == "unknownEvent" {
            let events = problem.members["events"]?.array ?? []
            return EventError.unknownEvent(event, events: events.compactMap(\.string).map { Event($0) })
        }
        if problem.status == 422 {
            let errors = problem.members["errors"]?.array?.compactMap(\.object) ?? []
            let faults = errors.compactMap { FieldFault($0, among: fields) }
            return faults.isEmpty ? nil : EventError.invalidFields(faults, fields: fields)
        }
        guard let retryAfter = problem.retryAfter else { return nil }
        return switch problem.code {
        case "unavailable":
            CollaboratorError.unavailable(retryAfter: retryAfter, part: problem.members["part"]?.string)
        case "overloaded": CollaboratorError.overloaded(retryAfter: retryAfter)
        case "tooManyRequests": CollaboratorError.tooManyRequests(retryAfter: retryAfter)
        default: nil
        }
    }
}

extension FieldFault {
    /// `nil` if the fault in the members of a problem or of one of its errors is unknown.
    fileprivate init?(_ members: Value.Object, among fields: [String]) {
        guard let field = members["field"]?.string, let code = members["code"]?.string,
            let reason = Reason(code, members)
        else { return nil }
        // The values are below `values` in a request, and not on a screen.
        let pointer = members["pointer"]?.string.map { $0.hasPrefix("/values/") ? String($0.dropFirst(7)) : $0 }
        self.init(field, reason, pointer: pointer)
    }
}

extension FieldFault.Reason {
    fileprivate init?(_ code: String, _ members: Value.Object) {
        let (minimum, maximum) = (members["minimum"], members["maximum"])
        switch code {
        case "missingField": self = .missing
        case "wrongFieldType":
            guard let type = members["expected"]?.string.flatMap(JSONType.init(rawValue:)) else { return nil }
            self = .wrongType(
                ExpectedValue(type, format: members["format"]?.string, example: members["example"] ?? .null)
            )
        case "valueTooLong":
            guard let maximum = maximum?.integer else { return nil }
            self = .tooLong(maximum: maximum)
        case "valueTooShort":
            guard let minimum = minimum?.integer else { return nil }
            self = .tooShort(minimum: minimum)
        case "valueOutOfRange":
            guard let minimum, let maximum else { return nil }
            self = .outOfRange(minimum: minimum, maximum: maximum)
        case "unknownChoice": self = .unknownChoice(members["choices"]?.array?.compactMap(\.string) ?? [])
        case "wrongCount":
            guard let minimum = minimum?.integer, let maximum = maximum?.integer, minimum <= maximum else { return nil }
            self = .wrongCount(minimum...maximum)
        default: return nil
        }
    }
}
