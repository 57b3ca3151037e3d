package import BusinessLogic

/// The failure of a controller or a collaborator, as recordings contain it.
public enum CollaboratorFailure: Error, Equatable, Sendable {
    /// A service that the collaborator needs was unavailable: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    case unavailable(retryAfter: Duration)
    /// The collaborator had too much work: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)``.
    case overloaded(retryAfter: Duration)
    /// The client exceeded a limit: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)``.
    case tooManyRequests(retryAfter: Duration)
    /// The task was cancelled, because its client no longer waited.
    case cancelled
    /// Any other error. Its description is not recorded, because it could contain secrets.
    case other
}

extension CollaboratorFailure {
    /// Converts an error to the failure to record.
    package init(_ error: any Error) {
        switch error {
        case let failure as CollaboratorFailure: self = failure
        case CollaboratorError.unavailable(let retryAfter, _): self = .unavailable(retryAfter: retryAfter)
        case CollaboratorError.overloaded(let retryAfter): self = .overloaded(retryAfter: retryAfter)
        case CollaboratorError.tooManyRequests(let retryAfter): self = .tooManyRequests(retryAfter: retryAfter)
        case is CancellationError: self = .cancelled
        default: self = .other
        }
    }

    /// The recorded error, if its type is known; otherwise the failure itself.
    var error: any Error {
        switch self {
        case .unavailable(let retryAfter): CollaboratorError.unavailable(retryAfter: retryAfter)
        case .overloaded(let retryAfter): CollaboratorError.overloaded(retryAfter: retryAfter)
        case .tooManyRequests(let retryAfter): CollaboratorError.tooManyRequests(retryAfter: retryAfter)
        case .cancelled: CancellationError()
        case .other: self
        }
    }

    package init?(recorded value: Value) {
        let retryAfter = Duration.milliseconds(value.object?["retryAfter"]?.integer ?? 0)
        switch value.object?["code"]?.string {
        case "unavailable": self = .unavailable(retryAfter: retryAfter)
        case "overloaded": self = .overloaded(retryAfter: retryAfter)
        case "tooManyRequests": self = .tooManyRequests(retryAfter: retryAfter)
        case "cancelled": self = .cancelled
        case "other": self = .other
        default: return nil
        }
    }

    /// The failure in a recording's JSON, with durations in milliseconds.
    package var value: Value {
        func value(_ code: String, _ retryAfter: Duration) -> Value {
            ["code": .string(code), "retryAfter": Value(Int(retryAfter.wholeMilliseconds))]
        }
        return switch self {
        case .unavailable(let retryAfter): value("unavailable", retryAfter)
        case .overloaded(let retryAfter): value("overloaded", retryAfter)
        case .tooManyRequests(let retryAfter): value("tooManyRequests", retryAfter)
        case .cancelled: ["code": "cancelled"]
        case .other: ["code": "other"]
        }
    }
}
