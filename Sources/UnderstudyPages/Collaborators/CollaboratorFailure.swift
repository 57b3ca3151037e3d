package import BusinessLogic

/// The failure of a controller or a collaborator, as recordings contain it.
public struct CollaboratorFailure: Error, Equatable, Sendable {
    /// What kind of failure it is.
    public enum Reason: String, Sendable {
        /// A service that the collaborator needs was unavailable: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
        case unavailable
        /// The collaborator had too much work: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)``.
        case overloaded
        /// The client exceeded a limit: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)``.
        case tooManyRequests
        /// The task was cancelled, because its client no longer waited.
        case cancelled
        /// Any other error. Its description is not recorded, because it could contain secrets.
        case other
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// When another attempt may succeed; `nil` if the failure does not say it.
    public let retryAfter: Duration?

    package init(_ reason: Reason, retryAfter: Duration? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }
}

extension CollaboratorFailure {
    package init(_ error: any Error) {
        switch error {
        case let failure as CollaboratorFailure: self = failure
        case CollaboratorError.unavailable(let retryAfter, _): self.init(.unavailable, retryAfter: retryAfter)
        case CollaboratorError.overloaded(let retryAfter): self.init(.overloaded, retryAfter: retryAfter)
        case CollaboratorError.tooManyRequests(let retryAfter): self.init(.tooManyRequests, retryAfter: retryAfter)
        case is CancellationError: self.init(.cancelled)
        default: self.init(.other)
        }
    }

    /// The failure itself if the type of the recorded error is unknown.
    var error: any Error {
        let retryAfter = retryAfter ?? .zero
        return switch reason {
        case .unavailable: CollaboratorError.unavailable(retryAfter: retryAfter)
        case .overloaded: CollaboratorError.overloaded(retryAfter: retryAfter)
        case .tooManyRequests: CollaboratorError.tooManyRequests(retryAfter: retryAfter)
        case .cancelled: CancellationError()
        case .other: self
        }
    }

    package init?(recorded value: Value) {
        guard let reason = value["code"]?.string.flatMap(Reason.init(rawValue:)) else { return nil }
        self.init(reason, retryAfter: value["retryAfter"]?.integer.map { .milliseconds($0) })
    }

    /// The failure in a recording's JSON, with durations in milliseconds.
    package var value: Value {
        var members: Value.Object = ["code": .string(reason.rawValue)]
        if let retryAfter { members["retryAfter"] = Value(Int(retryAfter.wholeMilliseconds)) }
        return .object(members)
    }
}
