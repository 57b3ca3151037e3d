/// Why a program has not responded to a step.
enum StepFailure: Error, Equatable {
    /// It has not responded in time.
    case timeout
    /// It has ended, cannot be started, or does not respond with lines. The text contains nothing that it has printed.
    case ended(reason: String)

    /// The reason for a person, without a full stop.
    var reason: String {
        switch self {
        case .timeout: "it has not responded in time"
        case .ended(let reason): reason
        }
    }
}
