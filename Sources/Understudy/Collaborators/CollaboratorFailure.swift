package import BusinessLogic

/// What went wrong when a controller or its collaborator failed, as far as it is recorded.
public enum CollaboratorFailure: Error, Equatable, Sendable {
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

extension CollaboratorFailure {
    /// What is recorded of an error.
    package init(_ error: any Error) {
        switch error {
        case let failure as CollaboratorFailure: self = failure
        case CollaboratorError.unavailable(let retryAfter): self = .unavailable(retryAfter: retryAfter)
        case CollaboratorError.overloaded(let retryAfter): self = .overloaded(retryAfter: retryAfter)
        case CollaboratorError.tooManyRequests(let retryAfter): self = .tooManyRequests(retryAfter: retryAfter)
        case is CancellationError: self = .cancelled
        default: self = .other
        }
    }

    /// The error that it was, as far as that is known.
    var error: any Error {
        switch self {
        case .unavailable(let retryAfter): CollaboratorError.unavailable(retryAfter: retryAfter)
        case .overloaded(let retryAfter): CollaboratorError.overloaded(retryAfter: retryAfter)
        case .tooManyRequests(let retryAfter): CollaboratorError.tooManyRequests(retryAfter: retryAfter)
        case .cancelled: CancellationError()
        case .other: self
        }
    }

    init?(recorded value: Value) {
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

    /// The failure as it is recorded, its time in milliseconds.
    package var value: Value {
        func value(_ code: String, _ retryAfter: Duration) -> Value {
            ["code": .string(code), "retryAfter": Value(retryAfter.wholeMilliseconds)]
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

extension Duration {
    /// Whole milliseconds, as far as an integer holds them.
    package var wholeMilliseconds: Int {
        Int(exactly: (self / .milliseconds(1)).rounded()) ?? .max
    }
}
